"""What several files of tests have in common."""

import io
import json
import shutil

import pytest
from double_solitaire.cli.main import run


@pytest.fixture(scope="session")
def browser():
    webdriver = pytest.importorskip("selenium.webdriver")
    if shutil.which("chromedriver") is None:
        pytest.skip("needs Debian's chromium and chromium-driver")
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = webdriver.ChromeService(shutil.which("chromedriver"))
    driver = webdriver.Chrome(options, service)
    yield driver
    driver.quit()


@pytest.fixture
def dsol(capsys, monkeypatch):
    """Run `dsol` with these arguments, and text or bytes as standard input.

    Returns the exit code, stdout and stderr."""

    def call(*arguments, stdin=""):
        data = stdin if isinstance(stdin, bytes) else stdin.encode()
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
        code = run([str(argument) for argument in arguments])
        return code, *capsys.readouterr()

    return call


@pytest.fixture
def written(tmp_path):
    """Write bytes, a text, or an object as JSON into a file of this name; its path."""

    def write(name, content, encoding="utf-8"):
        path = tmp_path / name
        if not isinstance(content, bytes):
            text = content if isinstance(content, str) else json.dumps(content)
            content = text.encode(encoding)
        path.write_bytes(content)
        return path

    return write
