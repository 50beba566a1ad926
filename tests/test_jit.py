import os

import pytest
from double_solitaire.engine import jit


@pytest.fixture
def places(tmp_path, monkeypatch):
    """A home without a cache folder yet, and a folder for temporary files."""
    jit.cache_folder.cache_clear()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home/cache"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    yield tmp_path / "home/cache/double-solitaire", tmp_path / f"double-solitaire-{os.getuid()}"
    jit.cache_folder.cache_clear()


pytestmark = pytest.mark.skipif(os.name != "posix", reason="owners and modes of POSIX")


def test_the_cache_is_a_folder_that_nobody_else_can_write(places):
    assert jit.cache_folder().parent == places[0]
    assert places[0].stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("trap", ["file", "link", "mode"])
def test_a_folder_that_is_not_ours_alone_is_not_used(places, tmp_path, trap):
    def lay(place):
        place.parent.mkdir(parents=True, exist_ok=True)
        if trap == "file":
            place.write_text("")
        elif trap == "link":
            (tmp_path / "elsewhere").mkdir(exist_ok=True)
            place.symlink_to(tmp_path / "elsewhere")
        else:
            place.mkdir()
            place.chmod(0o777)

    lay(places[0])
    assert jit.cache_folder().parent == places[1]
    jit.cache_folder.cache_clear()
    places[1].joinpath(jit.cache_folder().name).rmdir()
    places[1].rmdir()
    lay(places[1])
    jit.cache_folder.cache_clear()
    assert jit.cache_folder() is None


def test_without_a_home_no_folder_called_tilde_is_made(places, monkeypatch, tmp_path):
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda *_, **__: "~/.cache/double-solitaire")
    monkeypatch.chdir(tmp_path)
    assert jit.cache_folder().parent == places[1]
    assert not (tmp_path / "~").exists()


def test_a_function_is_called_once_when_something_is_compiled(places):
    calls = []
    jit.when_compiling(lambda: calls.append(1))

    def one_more(x):
        return x + 1

    def two_more(x):
        return x + 2

    first, second = jit.kernel(one_more), jit.kernel(two_more)
    assert not calls
    assert first(1) == 2 and second(1) == 3
    assert calls == [1]
