"""The files of one dataset: in a folder, straight in a zip that is not trusted, or one alone."""

from __future__ import annotations

import stat
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import IO

from graphrings.errors import ArchiveError, DatasetError

MOST_UNPACKED = 2 << 30  # bytes that compressed files may become
MOST_MEMBERS = 100_000  # files of an archive
HARMLESS = 128 << 20  # bytes below which no compression is suspicious
MOST_SQUEEZED = 200  # how often real graph files get smaller is 5 to 25
DEPTHS = "*", "*/*", "*/10fold_idx/*"  # a folder may hold the dataset's own folder
ARCHIVES = (".zip", ".npz")
ZIP_START = b"PK\x03\x04"


@dataclass(frozen=True)
class Files:
    """Files by their path inside ``path``, a folder or a zip; or one file, which is that path."""

    path: Path
    names: tuple[str, ...]
    zipped: bool = False

    @property
    def alone(self) -> bool:
        """Whether this is one file, neither in a folder nor in a zip."""
        return not self.zipped and self.path.is_file()

    @property
    def texts(self) -> tuple[str, ...]:
        """The text files among these."""
        return tuple(name for name in self.names if name.endswith(".txt"))

    def read(self, name: str) -> bytes:
        """The whole content of a file."""
        with self._opened(name) as (file, size):
            return file.read(size)

    def contents(self, names: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        """The whole contents of many files, one after the other; a zip is opened once."""
        if not self.zipped:
            yield from ((name, self.read(name)) for name in names)
            return
        with damage_explained(str(self.path)), zipfile.ZipFile(self.path) as archive:
            for name in names:
                with damage_explained(self.place(name)), archive.open(name) as member:
                    content = member.read(archive.getinfo(name).file_size)
                yield name, content

    def first_lines(self, names: Sequence[str], longest: int = 100) -> Iterator[bytes]:
        """The beginnings of files, up to the ends of their first lines; a zip is opened once."""
        if not self.zipped:
            for name in names:
                with self._opened(name) as (file, size):
                    yield file.read(min(size, longest)).split(b"\n", 1)[0]
            return
        with damage_explained(str(self.path)), zipfile.ZipFile(self.path) as archive:
            for name in names:
                with damage_explained(self.place(name)), archive.open(name) as member:
                    yield member.read(longest).split(b"\n", 1)[0]

    def place(self, name: str) -> str:
        """What a message calls the file."""
        return str(self.path.with_name(name)) if self.alone else f"{self.path}/{name}"

    @contextmanager
    def _opened(self, name: str) -> Iterator[tuple[IO[bytes], int]]:
        """A file and its size; what a zip holds beyond the size that it promises is not read."""
        if not self.zipped:
            path = self.path if self.alone else self.path / name
            with path.open("rb") as file:
                yield file, path.stat().st_size
            return
        with (
            damage_explained(self.place(name)),
            zipfile.ZipFile(self.path) as archive,
            archive.open(name) as member,
        ):
            yield member, archive.getinfo(name).file_size


def open_files(path: Path) -> Files:
    """List the files of a folder (also one folder deeper) or of a zip; any other file is alone."""
    if path.is_dir():
        inside = [file for depth in DEPTHS for file in path.glob(depth) if file.is_file()]
        return Files(path, without_litter([file.relative_to(path).as_posix() for file in inside]))
    if not path.exists():
        raise DatasetError(f"{path}: no such file or folder")
    if not is_archive(path):
        return Files(path, (path.name,))
    with damage_explained(str(path)), zipfile.ZipFile(path) as archive:
        members = archive.infolist()
    check_members(path, members)
    names = [member.filename for member in members if not member.filename.endswith("/")]
    return Files(path, without_litter(names), zipped=True)


def is_archive(path: Path) -> bool:
    """Whether a file is a zip, or is called like one."""
    if path.suffix.lower() in ARCHIVES:
        return True
    with path.open("rb") as file:
        return file.read(len(ZIP_START)) == ZIP_START


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


def without_litter(names: list[str]) -> tuple[str, ...]:
    """The names, sorted, without what macOS leaves beside the files."""
    kept = (name for name in names if "__MACOSX/" not in name)
    return tuple(sorted(name for name in kept if not PurePosixPath(name).name.startswith("._")))


def check_members(path: Path, members: list[zipfile.ZipInfo]) -> None:
    """Refuse an archive that would reach outside its folder or fill the machine.

    What it says of the compressed sizes is not believed: all its files together cannot come from
    more bytes than it has. No more is read of a file than the size that was counted here.
    """
    if len(members) > MOST_MEMBERS:
        raise ArchiveError(
            f"{path}: refused, {len(members):,} files; at most {MOST_MEMBERS:,} are opened"
        )
    for member in members:
        name = member.filename
        if not name:
            raise ArchiveError(f"{path}: refused, a member has no name")
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
    packed = path.stat().st_size
    squeezed = any(member.compress_type != zipfile.ZIP_STORED for member in members)
    if (squeezed and unpacked > MOST_UNPACKED) or (
        unpacked > HARMLESS and unpacked > MOST_SQUEEZED * packed
    ):
        raise ArchiveError(
            f"{path}: refused, {packed:,} bytes would unpack to {unpacked:,}; at most "
            f"{MOST_UNPACKED:,} bytes and {MOST_SQUEEZED} times the packed size are opened"
        )
