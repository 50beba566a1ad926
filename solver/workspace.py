"""The methods of a thread: each owns its memory, reserved once, as most searches are short."""

import threading

from .beam import LazyBeam
from .component_beam import ComponentBeam
from .dive import Dives
from .exhaust import Exhaust
from .fewest import Fewest
from .lists import Lister
from .relax import Relaxation
from .straight import Straight


class Methods(threading.local):
    """One of each for every thread. What is reserved takes no memory before it is written to."""

    def __init__(self) -> None:
        """Made when a thread first asks."""
        self.straight = Straight()
        self.relaxation = Relaxation()
        self.dives = Dives()
        self.exhaust = Exhaust()
        self.lazy_beam = LazyBeam()
        self.component_beam = ComponentBeam()
        self.lister = Lister()
        self.fewest = Fewest()


methods = Methods()
