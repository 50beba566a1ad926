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


def __getattr__(name: str) -> Any:
    """A public name, from `api.py`."""
    return getattr(importlib.import_module(".api", __name__), name)
