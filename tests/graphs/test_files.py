import errno
import stat
import struct
import tracemalloc
import warnings
import zipfile
from pathlib import Path

import pytest

import graphrings as gr
from graphrings.errors import ArchiveError, DatasetError
from graphrings.graphs import files
from graphrings.graphs.files import check_members, open_files
from written import TU, write_folder, write_zip


def refusal(path: Path) -> str:
    """What is said about an archive that is not read."""
    with pytest.raises(ArchiveError) as error:
        gr.read(path)
    assert str(error.value).startswith(str(path))
    return str(error.value)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("../TINY_A.txt", "leads out of the archive"),
        ("TINY/../../TINY_A.txt", "leads out of the archive"),
        ("TINY\\..\\..\\TINY_A.txt", "leads out of the archive"),
        ("/etc/TINY_A.txt", "has an absolute name"),
        ("C:\\TINY_A.txt", "has an absolute name"),
        ("C:TINY_A.txt", "has an absolute name"),
        ("\\\\server\\share\\TINY_A.txt", "has an absolute name"),
    ],
)
def test_a_name_that_leads_elsewhere_is_refused(tmp_path: Path, name: str, reason: str) -> None:
    path = write_zip(tmp_path / "TINY.zip", TU | {name: ""})
    assert refusal(path) == f"{path}: refused, the member {name!r} {reason}"


def test_a_link_is_refused(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "TINY.zip", TU)
    link = zipfile.ZipInfo("TINY_node_labels.txt")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(path, "a") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the name is there twice
        archive.writestr(link, "/etc/passwd")
    assert "the member 'TINY_node_labels.txt' is a link" in refusal(path)


def test_what_unpacks_to_far_more_than_its_size_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "TINY.zip"
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("TINY_A.txt", "w") as member,
    ):
        for _ in range(130):
            member.write(bytes(1 << 20))
    assert "bytes would unpack to 136,314,880; at most" in refusal(path)


def test_what_unpacks_to_more_than_it_admits_takes_no_memory(tmp_path: Path) -> None:
    """The headers promise 10 bytes where 50 million are."""
    path = write_zip(tmp_path / "TINY.zip", {"TINY_A.txt": 50_000_000 * b" "})
    path.write_bytes(path.read_bytes().replace(struct.pack("<L", 50_000_000), b"\n\0\0\0"))
    tracemalloc.start()
    assert "Bad CRC-32" in refusal_of_text(path)
    assert tracemalloc.get_traced_memory()[1] < 5_000_000
    tracemalloc.stop()


def refusal_of_text(path: Path) -> str:
    with pytest.raises(ArchiveError) as error:
        open_files(path).read("TINY_A.txt")
    return str(error.value)


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_compression_that_cannot_be_bounded_is_refused(tmp_path: Path, method: int) -> None:
    path = tmp_path / "TINY.zip"
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr("TINY_A.txt", "")
    assert f"compressed by method {method}; expected deflate, or none" in refusal(path)


def test_an_encrypted_archive_is_refused(tmp_path: Path) -> None:
    """The first bit of a member's flags, in both of its headers, says that it is encrypted."""
    path = write_zip(tmp_path / "TINY.zip", TU)
    content = bytearray(path.read_bytes())
    for header, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = content.find(header)
        while at >= 0:
            content[at + flags] |= 1
            at = content.find(header, at + 1)
    path.write_bytes(content)
    assert "is encrypted" in refusal(path)


def test_an_archive_of_an_unknown_version_is_refused(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "TINY.zip", TU)
    content = path.read_bytes()
    at = content.find(b"PK\x01\x02") + 6
    path.write_bytes(content[:at] + b"\xff" + content[at + 1 :])
    assert refusal(path).endswith("cannot be unpacked (zip file version 25.5)")


def test_a_name_that_is_no_text_is_refused(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "TINY.zip", {"caf\u00e9_A.txt": ""})
    path.write_bytes(path.read_bytes().replace("\u00e9".encode(), b"\xff\xff"))
    assert "cut off or damaged" in refusal(path)


def test_an_archive_that_was_cut_off_is_refused(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "TINY.zip", TU)
    whole = path.read_bytes()
    for length in range(0, len(whole), 50):
        path.write_bytes(whole[:length])
        assert "not a zip archive, or one that was cut off or damaged" in refusal(path)


def test_an_archive_with_a_wrong_bit_is_refused(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "TINY.zip", TU)
    content = bytearray(path.read_bytes())
    content[content.index(b"TINY_A.txt") + len("TINY_A.txt") + 3] ^= 8
    path.write_bytes(content)
    assert refusal(path).startswith(f"{path}/TINY_A.txt: not a zip archive, or one that was cut")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"nowhere.zip: no such file or folder"):
        gr.read(tmp_path / "nowhere.zip")


def test_a_file_that_the_system_does_not_open_is_not_called_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def closed(path: Path) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    path = write_zip(tmp_path / "TINY.zip", TU)
    monkeypatch.setattr(zipfile, "ZipFile", closed)
    with pytest.raises(PermissionError):
        gr.read(path)


@pytest.mark.parametrize(
    "junk", ["__MACOSX/TINY/._TINY_A.txt", "__MACOSX/TINY_A.txt", "._TINY_A.txt"]
)
def test_what_macos_leaves_behind_is_ignored(tmp_path: Path, junk: str) -> None:
    texts = TU | {junk: b"\0\5\26\7"}
    for path in (write_zip(tmp_path / "X.zip", texts), write_folder(tmp_path / "X", texts)):
        assert open_files(path).names == tuple(sorted(TU))
        assert len(gr.read(path)) == 3


def test_a_faked_compressed_size_does_not_hide_what_unpacks(tmp_path: Path) -> None:
    """The directory says 100 million packed bytes; the archive has far fewer."""
    path = tmp_path / "TINY.zip"
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("TINY_A.txt", "w") as member,
    ):
        for _ in range(130):
            member.write(bytes(1 << 20))
    content = bytearray(path.read_bytes())
    at = content.rfind(b"PK\x01\x02") + 20
    content[at : at + 4] = struct.pack("<L", 100_000_000)
    path.write_bytes(content)
    assert "bytes would unpack to 136,314,880; at most" in refusal(path)


def test_an_archive_of_very_many_files_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MOST_MEMBERS", 5)
    path = write_zip(tmp_path / "TINY.zip", {f"{k}.txt": "" for k in range(6)})
    assert refusal(path) == f"{path}: refused, 6 files; at most 5 are opened"


def test_a_member_without_a_name_is_refused(tmp_path: Path) -> None:
    member = zipfile.ZipInfo("a")
    member.filename = ""
    with pytest.raises(ArchiveError, match="refused, a member has no name"):
        check_members(tmp_path / "TINY.zip", [member])


def test_the_number_of_a_fold_has_an_end(tmp_path: Path) -> None:
    """Python does not read numbers of five thousand digits."""
    fold = f"10fold_idx/train_idx-{5000 * '9'}.txt"
    path = write_zip(tmp_path / "X.zip", {"X.txt": "1\n1 0\n0 0\n", fold: "0\n"})
    assert gr.read(path).folds == ()
