"""`make sbom`: writes build/sbom.cdx.json, what Reverie is made of, as CycloneDX JSON; the same for the same pins."""

import json
import re
import tomllib
import uuid
from importlib import metadata
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
OUT = ROOT / "build" / "sbom.cdx.json"
LOCKED = re.compile(r"(?m)^(?P<name>[\w.-]+)==(?P<version>[\w.]+)(?P<hashes>(?: \\\n +--hash=sha256:[0-9a-f]{64})+)$")
NAME = re.compile(r"[\w.-]+")


def main() -> None:
    OUT.parent.mkdir(exist_ok=True)
    OUT.write_text(json.dumps(bill(), indent=2) + "\n", "utf-8")
    print(OUT.relative_to(ROOT))


def bill() -> dict[str, Any]:
    """The bill of materials; its serial number follows from what it lists."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    components = [component(match) for match in LOCKED.finditer((ROOT / "requirements.txt").read_text("utf-8"))]
    ours = {
        "type": "library", "name": project["name"], "version": project["version"],
        "purl": (own := f"pkg:pypi/{project['name']}@{project['version']}"), "bom-ref": own,
        "licenses": [{"license": {"id": project["license"]}}],
    }  # fmt: skip
    known = {one["name"]: one["bom-ref"] for one in components}
    extras = [line for lines in project["optional-dependencies"].values() for line in lines]
    graph = [{"ref": own, "dependsOn": refs([*project["dependencies"], *extras], known)}]
    graph += [{"ref": ref, "dependsOn": refs(wanted_by(name), known)} for name, ref in known.items()]
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, json.dumps([ours, components, graph]))}",
        "version": 1,
        "metadata": {"component": ours},
        "components": components,
        "dependencies": graph,
    }


def component(pin: re.Match[str]) -> dict[str, Any]:
    name, version = plain(pin["name"]), pin["version"]
    ref = f"pkg:pypi/{name}@{version}"
    hashes = [{"alg": "SHA-256", "content": sha} for sha in re.findall(r"sha256:(\w+)", pin["hashes"])]
    return {"type": "library", "name": name, "version": version, "purl": ref, "bom-ref": ref, "hashes": hashes}


def wanted_by(name: str) -> list[str]:
    """What a package requires by itself, as its own metadata says where it is installed."""
    try:
        return [line for line in metadata.requires(name) or () if "extra ==" not in line]
    except metadata.PackageNotFoundError:
        return []


def refs(requirements: list[str], known: dict[str, str]) -> list[str]:
    names = (plain(match[0]) for line in requirements if (match := NAME.match(line)))
    return sorted({known[name] for name in names if name in known})


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


if __name__ == "__main__":
    main()
