"""The text files of one dataset, in a folder or straight in a zip that is not trusted."""

from __future__ import annotations

import stat
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath

from graphrings.errors import ArchiveError, DatasetError

MOST_UNPACKED = 8 << 30  # bytes that an archive may hold
HARMLESS = 128 << 20  # bytes below which no compression is suspicious
MOST_SQUEEZED = 200  # how often real graph files get smaller is 5 to 25
DEPTHS = "*.txt", "*/*.txt", "*/10fold_idx/*.txt"  # a folder may hold the dataset's own folder


@dataclass(frozen=True)
class Files:
    """Text files by their path inside ``path``, a folder or a zip."""

    path: Path
    names: tuple[str, ...]

    def read(self, name: str) -> bytes:
        """The whole content of a file."""
        if self.path.is_dir():
            return (self.path / name).read_bytes()
        with (
            damage_explained(self.place(name)),
            zipfile.ZipFile(self.path) as archive,
            archive.open(name) as member,
        ):
            # Not a byte more than the archive promises, whatever really is in there.
            return member.read(archive.getinfo(name).file_size)

    def place(self, name: str) -> str:
        """What a message calls the file."""
        return f"{self.path}/{name}"


def open_files(path: Path) -> Files:
    """List the text files of a folder (also one folder deeper) or of a zip."""
    path = Path(path)
    if path.is_dir():
        found = [file for depth in DEPTHS for file in path.glob(depth)]
        return Files(path, texts([file.relative_to(path).as_posix() for file in found]))
    if not path.exists():
        raise DatasetError(f"{path}: no such file or folder")
    with damage_explained(str(path)), zipfile.ZipFile(path) as archive:
        members = archive.infolist()
    check_members(path, members)
    return Files(path, texts([member.filename for member in members]))


@contextmanager
def damage_explained(place: str) -> Iterator[None]:
    """Make one clear line of all that may go wrong inside an archive."""
    try:
        yield
    except RuntimeError as error:  # encrypted, or of an unknown version
        raise ArchiveError(f"{place}: cannot be unpacked ({error})") from error
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, OSError) as error:
        if isinstance(error, OSError) and error.filename is not None:
            raise  # the system does not let us read the file at all
        raise ArchiveError(
            f"{place}: not a zip archive, or one that was cut off or damaged ({error}); "
            "fetch it again"
        ) from error


def texts(names: list[str]) -> tuple[str, ...]:
    """The text files among these, without what macOS leaves beside them."""
    kept = (name for name in names if name.endswith(".txt") and "__MACOSX/" not in name)
    return tuple(sorted(name for name in kept if not PurePosixPath(name).name.startswith("._")))


def check_members(path: Path, members: list[zipfile.ZipInfo]) -> None:
    """Refuse an archive that would reach outside its folder or fill the machine."""
    for member in members:
        name = member.filename
        if PurePosixPath(name).is_absolute() or PureWindowsPath(name).anchor:
            raise ArchiveError(f"{path}: refused, the member {name!r} has an absolute name")
        if ".." in PurePosixPath(name.replace("\\", "/")).parts:
            raise ArchiveError(f"{path}: refused, the member {name!r} leads out of the archive")
        if stat.S_ISLNK(member.external_attr >> 16):
            raise ArchiveError(f"{path}: refused, the member {name!r} is a link")
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise ArchiveError(
                f"{path}: refused, the member {name!r} is compressed by method "
                f"{member.compress_type}; expected deflate, or none"
            )
    unpacked = sum(member.file_size for member in members)
    packed = max(1, sum(member.compress_size for member in members))
    if unpacked > MOST_UNPACKED or (unpacked > HARMLESS and unpacked > MOST_SQUEEZED * packed):
        raise ArchiveError(
            f"{path}: refused, {packed:,} bytes would unpack to {unpacked:,}; at most "
            f"{MOST_UNPACKED:,} bytes and {MOST_SQUEEZED} times the packed size are opened"
        )
