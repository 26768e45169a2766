//! Names the shared library by the version of its interface, so that programs find the one that they were linked with.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let system = std::env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    // MAKRUK_VERSION_MAJOR; a test compares.
    match system.as_str() {
        "linux" | "freebsd" | "netbsd" | "openbsd" | "dragonfly" => {
            println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libmakruk_probe.so.1");
        }
        "macos" => println!("cargo::rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libmakruk_probe.1.dylib"),
        _ => {}
    }
}
