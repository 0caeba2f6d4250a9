"""What an sdist and a wheel must hold, and what they must not."""

import sys
import tarfile
import zipfile
from pathlib import Path

NEEDED = (
    "graphrings/__init__.py",
    "graphrings/py.typed",
    "graphrings/graphs/bundled/MUTAG.zip",
    "graphrings/experiments/table2.toml",
    "graphrings/report/templates/",
)
FOREIGN = (".nbc", ".nbi", ".pyc", ".db", ".venv")
CORPUS = "/tests/fuzz/corpus/"  # stores and models in it are test data


def check(name: str, members: list[str], needed: tuple[str, ...]) -> None:
    """Refuse an archive that misses something, or holds what is nobody's business."""
    missing = [part for part in needed if not any(part in member for member in members)]
    ours = [member for member in members if CORPUS not in member]
    foreign = [member for member in ours if any(part in member for part in FOREIGN)]
    if missing or foreign:
        sys.exit(f"{name}: missing {missing}, should not be there {foreign[:5]}")
    print(f"package: {name} holds {len(members)} files")


def main(folder: Path) -> None:
    """Look into the only wheel and the only sdist of a folder."""
    (wheel,), (sdist,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    with zipfile.ZipFile(wheel) as archive:
        check(wheel.name, archive.namelist(), (*NEEDED, "dist-info/licenses/LICENSE"))
        (metadata,) = (name for name in archive.namelist() if name.endswith("METADATA"))
        version = archive.read(metadata).decode().split("\nVersion: ")[1].split("\n")[0]
    if not (wheel.name.startswith(f"graphrings-{version}-") and version in sdist.name):
        sys.exit(f"{wheel.name} and {sdist.name} should be of version {version}")
    with tarfile.open(sdist) as archive:
        check(sdist.name, archive.getnames(), (*NEEDED, "/tests/", "/docs/", "/LICENSE"))


main(Path(sys.argv[1]))
