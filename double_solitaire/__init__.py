"""Double Solitaire: deals, rules, and a solver whose verdicts are proofs or replayed games.

>>> from double_solitaire import solve
>>> answer = solve("DS1-D1N-AAAAAAB")
>>> answer.verdict.value
'winnable'

What can be imported from here is defined in `api.py`, which is loaded when it is first asked
for: `dsol --help` needs none of it.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .api import *  # noqa: F403

    __version__: str


def __getattr__(name: str) -> Any:
    """A public name, from `api.py`, or the version of the package."""
    if name == "__version__":
        from importlib.metadata import version

        return version("double-solitaire")
    # The import system asks for other names of this kind, which must not load anything.
    if not name.startswith("_") or name == "__all__":
        api = importlib.import_module(".api", __name__)
        if name == "__all__":
            return api.__all__
        if name in api.__all__:
            return getattr(api, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """The public names, and those that every module has."""
    own = {name for name in globals() if name.startswith("__")}
    return sorted({*own, "__version__", *__getattr__("__all__")})
