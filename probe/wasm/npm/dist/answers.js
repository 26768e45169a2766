// The answers. They are those of `makruk-probe query --json` and of the service.
export {};
