"""Print a row for each package that users install with ours: name, version, licence by its own metadata.

python docs/licences.py, in an environment in which this project is installed; the rows go into licences.md.
"""

from __future__ import annotations

import tomllib
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PROJECT = Path(__file__).resolve().parent.parent / "pyproject.toml"


def needed(name: str, found: dict[str, metadata.Distribution]) -> None:
    """Add a package and everything it needs here, without extras, to `found`."""
    key = canonicalize_name(name)
    if key in found:
        return
    found[key] = metadata.distribution(name)
    for text in found[key].requires or []:
        requirement = Requirement(text)
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            needed(requirement.name, found)


def licence(package: metadata.Distribution) -> str:
    """The SPDX expression, else the licence classifiers, else the first line of the licence field."""
    about = package.metadata
    if "License-Expression" in about:
        return about["License-Expression"]
    names = [
        name.split(" :: ")[-1] for name in about.get_all("Classifier", []) if name.startswith("License ::")
    ]
    names = [name for name in names if name != "OSI Approved"]
    return (
        ", ".join(names) or "\n".join([*about.get_all("License", []), "not stated"]).strip().splitlines()[0]
    )


def main() -> None:
    """Print the rows."""
    found: dict[str, metadata.Distribution] = {}
    for text in tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["dependencies"]:
        needed(Requirement(text).name, found)
    for key in sorted(found):
        package = found[key]
        print(f"| {package.metadata['Name']} | {package.version} | {licence(package)} |")


if __name__ == "__main__":
    main()
