"""A summary as one page of HTML that needs nothing else: plots inside, light and dark."""

import io
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.resources import files

import matplotlib as mpl
from jinja2 import Environment, select_autoescape
from markupsafe import Markup
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter, LogLocator, MaxNLocator, NullLocator

from ..engine.rules import GAMES
from .report import TITLES, counted, ends_text, is_money, percent, value_text
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
LEGEND_COLUMNS = 4
"""Names of modes beside each other; more of them do not fit."""
SIZE = (5.0, 2.7)
"""Inches. Wide cards enlarge the text to that of the page; on a phone it can still be read."""
SETTINGS = {
    "svg.fonttype": "none",
    "svg.hashsalt": "double-solitaire",
    "font.family": "sans-serif",
    "font.size": 10,
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


def html(summary: Summary, title: str) -> str:
    """The page."""
    environment = Environment(
        autoescape=select_autoescape(default=True), trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= {
        "percent": lambda share: percent(share).replace(" ", NO_BREAK),
        "ends": lambda share: ends_text(share).replace(" %", f"{NO_BREAK}%"),
        "number": lambda value: f"{value:,}",
        "counted": lambda value, noun: counted(value, noun).replace(" ", NO_BREAK),
    }
    template = environment.from_string(
        files(__package__).joinpath("page.html").read_text(encoding="utf-8")
    )
    return template.render(
        title=title,
        summary=summary,
        deals=sum(mode.verdicts.deals for mode in summary.modes),
        plots=_plots(summary.modes),
        rows=_quantile_rows,
        span=_span,
    )


def _span(low: float, high: float) -> str:
    """The place of a part of a track, as style."""
    return f"left: {100 * low:.3f}%; width: {100 * (high - low):.3f}%"


def _quantile_rows(mode: ModeSummary) -> list[list[str]]:
    """A line of text cells for each distribution that has values."""
    return [
        [
            TITLES[name],
            *(
                value_text(mode.rules, name, each.quantile(part))
                for part in (0, 0.05, 0.5, 0.95, 1)
            ),
            value_text(mode.rules, name, each.mean),
        ]
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
            axes.legend(
                frameon=False,
                ncols=min(len(modes), LEGEND_COLUMNS),
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
    axes: Axes, mode: ModeSummary, among: int, heights: Sequence[float], edges: Sequence[float]
) -> None:
    """Bars that leave those of as many modes behind them to be seen."""
    colour = SERIES[mode.rules.mode]
    axes.stairs(heights, edges, color=colour, fill=True, alpha=SHADE / among)
    line = "-" if mode.rules.game == GAMES[0] else "--"
    axes.stairs(heights, edges, color=colour, linewidth=1.6, linestyle=line, label=mode.name)


def _draw_effort(axes: Axes, modes: list[ModeSummary]) -> None:
    for mode in modes:
        bins = sorted(mode.node_bins)
        span = range(bins[0], bins[-1] + 1)
        total = mode.node_bins.total()
        heights = [100 * mode.node_bins[each] / total for each in span]
        edges = [2 ** (each / NODE_BINS) for each in (*span, span.stop)]
        _draw_bars(axes, mode, len(modes), heights, edges)
    axes.set_xscale("log")
    least, most = axes.dataLim.intervalx
    axes.set_xlim(10 ** math.floor(math.log10(least)), 10 ** math.ceil(math.log10(most)))
    axes.xaxis.set_major_locator(LogLocator(numticks=10))
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
        _draw_bars(axes, mode, len(modes), heights, edges)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel(TITLES[name])
    axes.set_ylabel("% of deals")
    axes.grid(axis="y")
