"""A summary as one page of HTML that needs nothing else: plots inside, light and dark."""

import io
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from itertools import pairwise

import matplotlib as mpl
from jinja2 import Environment, select_autoescape
from markupsafe import Markup
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter, LogLocator, MaxNLocator, NullLocator

from ..engine.rules import GAMES
from .report import (
    QUANTILES,
    TITLES,
    counted,
    deal_name,
    ends_text,
    is_money,
    limits_text,
    percent,
    rest_text,
    value_text,
)
from .summary import NODE_BINS, ModeSummary, Summary

INK = "#010203"
"""Stands for the colour of text, until the page says which that is."""
FAINT = "#040506"
"""The same for lines of the grid."""
NO_BREAK = "\N{NO-BREAK SPACE}"
SERIES = {"D1N": "#11aa01", "D3N": "#11aa02", "D1V": "#11aa03", "D3V": "#11aa04"}
"""The same for each mode, so that it has one colour all over the page."""
_VARIABLES = {INK: "--ink", FAINT: "--faint"} | {
    colour: f"--{mode}" for mode, colour in SERIES.items()
}
BINS = 40
"""Bars of a histogram, about."""
SHADE = 0.2
"""Opacity of the bars of all modes together."""
LEGEND_WIDTH = 34
"""Letters of the names of modes, and of the lines before them, beside each other in a plot."""
SIZE = (3.6, 2.5)
"""Inches: as wide as a phone, so that the text is nowhere smaller than that of the page."""
PHONE_LETTERS = 22
"""Letters of labels along a scale, as wide as a phone."""
STEPS = 4
"""Parts of a scale at most; on a phone the labels of more would run into each other."""
SETTINGS = {
    "svg.fonttype": "none",
    "svg.hashsalt": "double-solitaire",
    "font.family": "sans-serif",
    "font.size": 9.5,
    "text.color": INK,
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "axes.axisbelow": True,
    "grid.color": FAINT,
    "xtick.color": INK,
    "ytick.color": INK,
    "ytick.left": False,
}
"""Text stays text, and nothing in a plot depends on when it was drawn."""


@dataclass(frozen=True, slots=True)
class Plot:
    """A picture with its caption."""

    title: str
    note: str
    svg: Markup


@dataclass(frozen=True, slots=True)
class Scale:
    """A part of the scale from 0 to 1 that shows some shares well, and what stands along it."""

    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]
    """Shares, and their labels in percent."""

    @property
    def is_long(self) -> bool:
        """Whether a phone has room for the labels at the ends only."""
        return sum(len(label) for _, label in self.ticks) > PHONE_LETTERS

    def place(self, share: float) -> str:
        """Where a share stands, as a percentage of the length."""
        return f"{100 * (share - self.low) / (self.high - self.low):.2f}%"

    def span(self, low: float, high: float) -> str:
        """Where a part of the scale lies, as style."""
        width = 100 * (high - low) / (self.high - self.low)
        return f"left: {self.place(low)}; width: {width:.2f}%"


@dataclass(frozen=True, slots=True)
class Group:
    """Modes whose shares stand on one scale: those of a game and of a number of passes."""

    modes: list[ModeSummary]
    scale: Scale


def scale_of(low: float, high: float) -> Scale:
    """The scale for shares from `low` to `high`, which need not differ."""
    if high - low < 1e-12:
        low, high = max(low - 0.05, 0.0), min(high + 0.05, 1.0)
    locator = MaxNLocator(nbins=STEPS, steps=[1, 2, 2.5, 5, 10])
    found = (round(float(each), 10) for each in locator.tick_values(100 * low, 100 * high))
    values = [each for each in found if 0 <= each <= 100]
    # The labels have as many digits as the steps between them need.
    step = min(after - before for before, after in pairwise(values))
    digits = next(n for n in range(15) if abs(round(step, n) - step) < step / 1000)
    ticks = tuple(
        (each / 100, f"{each:.0f}" if each in (0, 100) else f"{each:.{digits}f}") for each in values
    )
    return Scale(ticks[0][0], ticks[-1][0], ticks)


def _groups(modes: list[ModeSummary]) -> list[Group]:
    """The modes by game and passes: with one pass far fewer deals are winnable."""
    together: dict[tuple[str, int | None], list[ModeSummary]] = {}
    for mode in modes:
        together.setdefault((mode.rules.game, mode.rules.passes), []).append(mode)
    groups = []
    for group in together.values():
        ends = [mode.winnable.interval for mode in group]
        groups.append(Group(group, scale_of(min(ends)[0], max(high for _, high in ends))))
    return groups


def html(summary: Summary, title: str, made: str, command: str) -> str:
    """The page. `made` is the day, and `command` the command, that it says it was made by."""
    environment = Environment(
        autoescape=select_autoescape(default=True), trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= {
        "percent": lambda share, deals: percent(share, deals).replace(" ", NO_BREAK),
        "ends": lambda share, deals: ends_text(share, deals).replace(" %", f"{NO_BREAK}%"),
        "limits": limits_text,
        "name": deal_name,
        "number": lambda value: f"{value:,}",
        "counted": lambda value, noun: counted(value, noun).replace(" ", NO_BREAK),
    }
    template = environment.from_string(
        files(__package__).joinpath("page.html").read_text(encoding="utf-8")
    )
    return template.render(
        title=title,
        made=made,
        command=command,
        summary=summary,
        deals=sum(mode.verdicts.deals for mode in summary.modes),
        plots=_plots(summary.modes),
        groups=_groups(summary.modes),
        heads=[head for _, head in QUANTILES] + ["mean"],
        rows=_quantile_rows,
        rest=rest_text,
    )


def _quantile_rows(mode: ModeSummary) -> list[tuple[str, list[str]]]:
    """The name of each distribution that has values, and its cells: quantiles and the mean."""
    return [
        (
            TITLES[name],
            [
                value_text(mode.rules, name, value)
                for value in (*(each.quantile(part) for part, _ in QUANTILES), each.mean)
            ],
        )
        for name, each in mode.distributions.items()
        if each.total
    ]


def _plots(modes: list[ModeSummary]) -> list[Plot]:
    """The plots for which there are values."""
    plots = []
    if modes:
        note = "Positions that the search generated for a deal, on a logarithmic scale."
        plots.append(_plot("Effort", note, partial(_draw_effort, modes=modes), modes))
    for name, title in TITLES.items():
        for money in (False, True):
            shown = [
                mode
                for mode in modes
                if mode.distributions[name].total and is_money(mode.rules, name) == money
            ]
            # One value all over, as the score of a game won in Vegas scoring, is no picture.
            if len({value for mode in shown for value in mode.distributions[name].counts}) > 1:
                unit = ", dollars" if money else ""
                plots.append(
                    _plot(
                        title.capitalize() + unit,
                        "Share of the deals that have a value.",
                        partial(_draw_values, name=name, modes=shown),
                        shown,
                    )
                )
    return plots


def _plot(title: str, note: str, draw: Callable[[Axes], None], modes: list[ModeSummary]) -> Plot:
    """Draw, and put the colours of the page in the place of those that stand for them."""
    with mpl.rc_context(SETTINGS):
        figure = Figure(figsize=SIZE, layout="constrained")
        axes = figure.add_subplot()
        draw(axes)
        if len(modes) > 1:
            letters = 3 + max(len(_label(mode, modes)) for mode in modes)
            axes.legend(
                frameon=False,
                ncols=min(len(modes), LEGEND_WIDTH // letters),
                loc="lower center",
                bbox_to_anchor=(0.5, 1),
                fontsize=9,
                handlelength=1.2,
                columnspacing=1.2,
            )
        stream = io.StringIO()
        figure.savefig(stream, format="svg", transparent=True, metadata={"Date": None})
    svg = stream.getvalue()
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", svg, count=1)
    svg = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", svg, count=1)
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    # Names inside a picture would be the same in the next one.
    prefix = re.sub(r"[^a-z]+", "-", title.lower())
    svg = re.sub(r'(\bid="|xlink:href="#|url\(#)', rf"\g<1>{prefix}-", svg)
    for colour, variable in _VARIABLES.items():
        svg = svg.replace(colour, f"var({variable})")
    return Plot(title, note, Markup(svg))


def _draw_bars(
    axes: Axes,
    mode: ModeSummary,
    among: list[ModeSummary],
    heights: Sequence[float],
    edges: Sequence[float],
) -> None:
    """Bars of one mode that leave those of the others behind them to be seen."""
    colour = SERIES[mode.rules.mode]
    axes.stairs(heights, edges, color=colour, fill=True, alpha=SHADE / len(among))
    line = "-" if mode.rules.game == GAMES[0] else "--"
    label = _label(mode, among)
    axes.stairs(heights, edges, color=colour, linewidth=1.6, linestyle=line, label=label)


def _label(mode: ModeSummary, among: list[ModeSummary]) -> str:
    """What a mode is called in a plot: without the game where there is but one."""
    one_game = len({each.rules.game for each in among}) == 1
    return mode.rules.mode if one_game else mode.name


def _draw_effort(axes: Axes, modes: list[ModeSummary]) -> None:
    for mode in modes:
        bins = sorted(mode.node_bins)
        span = range(bins[0], bins[-1] + 1)
        total = mode.node_bins.total()
        heights = [100 * mode.node_bins[each] / total for each in span]
        edges = [2 ** (each / NODE_BINS) for each in (*span, span.stop)]
        _draw_bars(axes, mode, modes, heights, edges)
    axes.set_xscale("log")
    least, most = axes.dataLim.intervalx
    axes.set_xlim(10 ** math.floor(math.log10(least)), 10 ** math.ceil(math.log10(most)))
    axes.xaxis.set_major_locator(LogLocator(numticks=STEPS + 2))
    axes.xaxis.set_major_formatter(EngFormatter(sep=""))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xlabel("nodes")
    axes.set_ylabel("% of deals")
    axes.grid(axis="y")


def _draw_values(axes: Axes, name: str, modes: list[ModeSummary]) -> None:
    values = [value for mode in modes for value in mode.distributions[name].counts]
    least, most = min(values), max(values)
    # Bars of unequal numbers of possible values would make a comb: scores go in fives.
    step = math.gcd(*(value - least for value in values)) or 1
    width = step * max(-(-(most - least + 1) // (BINS * step)), 1)
    # A value stands in the middle of what belongs to it.
    edges = [edge - step / 2 for edge in range(least, most + width + 1, width)]
    for mode in modes:
        distribution = mode.distributions[name]
        heights = [0.0] * (len(edges) - 1)
        for value, count in distribution.counts.items():
            heights[(value - least) // width] += 100 * count / distribution.total
        _draw_bars(axes, mode, modes, heights, edges)
    axes.xaxis.set_major_locator(MaxNLocator(STEPS + 1, integer=True))
    axes.set_xlabel(TITLES[name])
    axes.set_ylabel("% of deals")
    axes.grid(axis="y")
