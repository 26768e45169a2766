"""Writes the bill of materials of a release (CycloneDX) and the licences of the crates that its programs contain.

    (cargo metadata ...; cargo metadata ...) | bill.py BILL.cdx.json LICENCES.txt ROOT...

Each line of the input is the metadata of a workspace. The roots are the crates whose programs and libraries are
released. Crates that run only while others are compiled (procedural macros and what these need) have the scope
`excluded` in the bill, and no licence in the list. The same sources give the same bytes: SOURCE_DATE_EPOCH is the time
of both.
"""

import datetime
import json
import os
import pathlib
import re
import sys
import tomllib
import uuid

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import ExternalReference, ExternalReferenceType, HashAlgorithm, HashType, XsUri
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentScope, ComponentType
from cyclonedx.output.json import JsonV1Dot5
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL

LICENCE = re.compile(r"(licen[cs]e|copying|notice|unlicense)", re.IGNORECASE)


def reached(roots, nodes, macros, through_macros):
    """The crates that these roots need, and those that each of them needs, without what only tests or builds need."""
    edges, waiting = {}, list(roots)
    while waiting:
        crate = waiting.pop()
        if crate in edges or (not through_macros and crate in macros):
            continue
        normal = (dep["pkg"] for dep in nodes[crate] if any(kind["kind"] is None for kind in dep["dep_kinds"]))
        edges[crate] = sorted(set(normal))
        waiting += edges[crate]
    return edges


def component(package, checksum, scope, is_program):
    name, version = package["name"], package["version"]
    source = package["repository"]
    # Older manifests separate alternatives by a slash, which is not a licence expression.
    licence = (package["license"] or "").replace("/", " OR ")
    return Component(
        name=name,
        version=version,
        bom_ref=f"{name}@{version}",
        type=ComponentType.APPLICATION if is_program else ComponentType.LIBRARY,
        scope=scope,
        description=package["description"],
        purl=PackageURL("cargo", name=name, version=version) if package["source"] else None,
        licenses=[LicenseFactory().make_from_string(licence)] if licence else [],
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=checksum)] if checksum else [],
        external_references=[ExternalReference(type=ExternalReferenceType.VCS, url=XsUri(source))] if source else [],
    )


def bill(packages, edges, linked, roots, checksums):
    time = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    components = {}
    for crate in edges:
        package = packages[crate]
        scope = ComponentScope.REQUIRED if crate in linked else ComponentScope.EXCLUDED
        checksum = checksums.get((package["name"], package["version"]))
        components[crate] = component(package, checksum, scope, crate in roots)
    whole = Component(name="makruk", version=packages[roots[0]]["version"], bom_ref="makruk", type=ComponentType.APPLICATION)
    bom = Bom(components=components.values())
    bom.metadata.component = whole
    bom.metadata.timestamp = time
    bom.register_dependency(whole, [components[root] for root in roots])
    for crate, needs in edges.items():
        bom.register_dependency(components[crate], [components[need] for need in needs])
    # A number that follows from the content, where others draw one by lot.
    content = "\n".join(sorted(f"{each.bom_ref} {each.scope}" for each in components.values()))
    bom.serial_number = uuid.uuid5(uuid.NAMESPACE_URL, content)
    text = JsonV1Dot5(bom).output_as_string(indent=1)
    errors = JsonStrictValidator(SchemaVersion.V1_5).validate_str(text)
    if errors:
        sys.exit(f"the bill of materials is not valid: {errors}")
    return text + "\n"


def licences(packages, linked):
    """The texts of the licences, each once, with the crates that have it; crates without one by the licence's name."""
    texts, without = {}, []
    for crate in sorted(linked):
        package = packages[crate]
        if not package["source"]:
            continue
        title = f"{package['name']} {package['version']} ({package['license']})"
        files = [path for path in pathlib.Path(package["manifest_path"]).parent.rglob("*")
                 if LICENCE.match(path.name) and path.suffix in ("", ".md", ".txt") and path.is_file()]
        for path in sorted(files):
            texts.setdefault(path.read_text(errors="replace").strip(), []).append(title)
        if not files:
            without.append(f"{title}, by {', '.join(package['authors']) or 'its authors'}")
    parts = ["The programs of this release contain these libraries, under these licences, and Rust's standard library (MIT OR Apache-2.0)."]
    parts += ["Without a text of their own:\n\n" + "\n".join(without)] if without else []
    parts += ["\n".join(dict.fromkeys(titles)) + "\n\n" + text for text, titles in texts.items()]
    return f"\n\n{'=' * 80}\n\n".join(parts) + "\n"


def main(bill_file, licence_file, *names):
    packages, nodes, members, checksums = {}, {}, set(), {}
    for metadata in map(json.loads, sys.stdin):
        packages |= {package["id"]: package for package in metadata["packages"]}
        members |= set(metadata["workspace_members"])
        for node in metadata["resolve"]["nodes"]:
            nodes.setdefault(node["id"], []).extend(node["deps"])
        locked = tomllib.loads(pathlib.Path(metadata["workspace_root"], "Cargo.lock").read_text())["package"]
        checksums |= {(entry["name"], entry["version"]): entry.get("checksum") for entry in locked}
    macros = {crate for crate, package in packages.items() if any("proc-macro" in target["kind"] for target in package["targets"])}
    roots = [crate for name in names for crate in members if packages[crate]["name"] == name]
    if len(roots) != len(names):
        sys.exit(f"not all of these crates are in the workspaces: {', '.join(names)}")
    linked = reached(roots, nodes, macros, through_macros=False)
    edges = reached(roots, nodes, macros, through_macros=True)
    pathlib.Path(bill_file).write_text(bill(packages, edges, linked, roots, checksums))
    pathlib.Path(licence_file).write_text(licences(packages, linked))
    print(f"   {len(edges)} crates, {len(linked)} of them in the programs and libraries")


if __name__ == "__main__":
    main(*sys.argv[1:])
