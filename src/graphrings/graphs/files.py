"""The text files of one dataset, in a folder or straight in a zip that is not trusted."""

from __future__ import annotations

import stat
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath

from graphrings.errors import ArchiveError, DatasetError

MOST_UNPACKED = 8 << 30  # bytes that an archive may hold
HARMLESS = 128 << 20  # bytes below which no compression is suspicious
MOST_SQUEEZED = 200  # how often real graph files get smaller is 5 to 25


@dataclass(frozen=True)
class Files:
    """Text files by their path inside ``path``, a folder or a zip."""

    path: Path
    names: tuple[str, ...]

    def read(self, name: str) -> bytes:
        """The whole content of a file."""
        if self.path.is_dir():
            return (self.path / name).read_bytes()
        try:
            with zipfile.ZipFile(self.path) as archive:
                return archive.read(name)
        except (zipfile.BadZipFile, zlib.error, EOFError) as error:
            raise ArchiveError(f"{self.place(name)}: the archive is damaged ({error})") from error
        except (RuntimeError, NotImplementedError) as error:  # encrypted, or an unknown method
            raise ArchiveError(f"{self.place(name)}: cannot be unpacked ({error})") from error

    def place(self, name: str) -> str:
        """What a message calls the file."""
        return f"{self.path}/{name}"


def open_files(path: Path) -> Files:
    """List the text files of a folder (also one folder deeper) or of a zip."""
    path = Path(path)
    if path.is_dir():
        found = [*path.glob("*.txt"), *path.glob("*/*.txt")]
        return Files(path, tuple(sorted(file.relative_to(path).as_posix() for file in found)))
    if not path.exists():
        raise DatasetError(f"{path}: no such file or folder")
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
    except zipfile.BadZipFile as error:
        raise ArchiveError(
            f"{path}: not a zip archive, or one that was cut off ({error}); fetch it again"
        ) from error
    check_members(path, members)
    texts = [member.filename for member in members if member.filename.endswith(".txt")]
    return Files(path, tuple(sorted(name for name in texts if not name.startswith("__MACOSX/"))))


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
    unpacked = sum(member.file_size for member in members)
    packed = max(1, sum(member.compress_size for member in members))
    if unpacked > MOST_UNPACKED or (unpacked > HARMLESS and unpacked > MOST_SQUEEZED * packed):
        raise ArchiveError(
            f"{path}: refused, {packed:,} bytes would unpack to {unpacked:,}; at most "
            f"{MOST_UNPACKED:,} bytes and {MOST_SQUEEZED} times the packed size are opened"
        )
