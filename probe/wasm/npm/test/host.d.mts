/** The types of what the page's tests use of host.mjs. */
export interface Host {
    url: string;
    stop(): void;
}
export const program: string;
export function tablesFolder(): string;
export function makeSite(tables: string, guideOnly: boolean): string;
export function freePort(): Promise<number>;
export function startNginx(site: string, extra?: string): Promise<Host>;
