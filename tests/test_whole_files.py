import os
import threading
from pathlib import Path

import pytest

from graphrings.whole_files import whole_file, whole_folder


def test_what_fails_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    with pytest.raises(ValueError, match="stop"), whole_file(path) as place:  # noqa: PT012
        place.write_text("half")
        raise ValueError("stop")
    assert path.read_text() == "old"
    assert [*tmp_path.iterdir()] == [path]


def test_a_file_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    path.write_text("old")
    path.chmod(0o600)
    with whole_file(path) as place:
        place.write_text("new")
        assert place.stat().st_mode & 0o777 == 0o600  # meanwhile, too
    assert (path.read_text(), path.stat().st_mode & 0o777) == ("new", 0o600)


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    link.symlink_to(target)
    with whole_file(link) as place:
        place.write_text("new")
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_a_pipe_is_written_through(tmp_path: Path) -> None:
    pipe, received = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: received.append(pipe.read_text()))
    reader.start()
    with whole_file(pipe) as place:
        place.write_text("through")
    reader.join()
    assert received == ["through"]
    assert pipe.is_fifo()


def test_a_folder_is_not_replaced_by_a_file(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError), whole_file(tmp_path) as place:
        place.write_text("new")
    assert tmp_path.is_dir()


def test_two_writers_have_two_places(tmp_path: Path) -> None:
    with whole_file(tmp_path / "file") as one, whole_file(tmp_path / "file") as other:
        assert one != other
        one.write_text("one")
        other.write_text("other")
    assert (tmp_path / "file").read_text() == "one"


def test_a_folder_is_there_as_a_whole(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="stop"), whole_folder(tmp_path / "new") as place:  # noqa: PT012
        (place / "part").write_text("half")
        raise ValueError("stop")
    assert not any(tmp_path.iterdir())


def test_an_error_names_the_file_that_was_asked_for(tmp_path: Path) -> None:
    """Not the hidden place beside it."""
    path = tmp_path / "no such folder" / "a"
    with pytest.raises(FileNotFoundError) as error, whole_file(path) as place:
        place.write_text("x")
    assert str(error.value).endswith(f"No such file or directory: {str(path)!r}")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_a_device_that_is_full_is_named() -> None:
    told = pytest.raises(OSError, match="No space left on device: '/dev/full'")
    with told, whole_file(Path("/dev/full")) as place:
        place.write_text("x")


def test_errors_of_others_stay_as_they_are(tmp_path: Path) -> None:
    missing = tmp_path / "source"
    with pytest.raises(FileNotFoundError) as error, whole_file(tmp_path / "a"):
        missing.read_text()
    assert error.value.filename == str(missing)
