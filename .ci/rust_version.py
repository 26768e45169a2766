"""Fails if a crate that Cargo.lock names asks for a newer Rust than the workspace does. Reads `cargo metadata`."""

import json
import sys


def version(text):
    return [*map(int, (text or "0").split(".")), 0, 0][:3]


metadata = json.load(sys.stdin)
members = {package["id"]: package for package in metadata["packages"] if package["id"] in metadata["workspace_members"]}
promised = {package["rust_version"] for package in members.values()}
assert len(promised) == 1 and None not in promised, f"the members name several versions: {promised}"
(promised,) = promised
others = [package for package in metadata["packages"] if package["id"] not in members]
newer = [package for package in others if version(package["rust_version"]) > version(promised)]
for package in newer:
    print(f"{package['name']} {package['version']} needs Rust {package['rust_version']}", file=sys.stderr)
if newer:
    sys.exit(f"The workspace promises Rust {promised}: ask for older versions in Cargo.lock, or for a newer Rust in Cargo.toml.")
print(f"{len(others)} crates compile with Rust {promised} or older")
