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
from matplotlib.ticker import MaxNLocator

from .report import TITLES, is_money, percent, value_text
from .summary import NODE_BINS, ModeSummary, Summary

INK = "#010203"
"""Stands for the colour of text, until the page says which that is."""
FAINT = "#040506"
"""The same for lines of the grid."""
SERIES = {"D1N": "#11aa01", "D3N": "#11aa02", "D1V": "#11aa03", "D3V": "#11aa04"}
"""The same for each mode, so that it has one colour all over the page."""
_VARIABLES = {INK: "--ink", FAINT: "--faint"} | {
    colour: f"--{mode}" for mode, colour in SERIES.items()
}
BINS = 40
"""Bars of a histogram, about."""
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
    environment.filters |= {"percent": percent, "number": lambda value: f"{value:,.0f}"}
    template = environment.from_string(
        files(__package__).joinpath("page.html").read_text(encoding="utf-8")
    )
    return template.render(
        title=title,
        summary=summary,
        deals=sum(mode.verdicts.deals for mode in summary.modes),
        plots=_plots(summary.modes),
        rows=_quantile_rows,
        names=TITLES,
    )


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
        note = "Dot: deals shown winnable. Bar: undecided deals. Line: 95 % interval, both counted."
        plots.append(_plot("Winnable deals", note, partial(_draw_shares, modes=modes), modes, 1))
        note = "Positions the search generated for a deal; each step is a factor of ten."
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


def _plot(
    title: str,
    note: str,
    draw: Callable[[Axes], None],
    modes: list[ModeSummary],
    lines_a_mode: int = 0,
) -> Plot:
    """Draw, and put the colours of the page in the place of those that stand for them."""
    with mpl.rc_context(SETTINGS):
        height = 0.9 + 0.5 * len(modes) if lines_a_mode else 2.8
        figure = Figure(figsize=(6.4, height), layout="constrained")
        axes = figure.add_subplot()
        draw(axes)
        if not lines_a_mode and len(modes) > 1:
            axes.legend(
                frameon=False, ncols=len(modes), loc="lower center", bbox_to_anchor=(0.5, 1)
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


def _draw_shares(axes: Axes, modes: list[ModeSummary]) -> None:
    for place, mode in enumerate(reversed(modes)):
        share, colour = mode.winnable, SERIES[mode.rules.mode]
        low, high = (100 * end for end in share.interval)
        axes.plot([low, high], [place, place], color=colour, linewidth=2)
        axes.plot(
            [100 * share.low, 100 * share.high],
            [place, place],
            color=colour,
            linewidth=9,
            alpha=0.35,
            solid_capstyle="butt",
        )
        axes.plot([100 * share.low], [place], "o", color=colour, markersize=8)
    axes.set_yticks(range(len(modes)), [mode.name for mode in reversed(modes)])
    axes.set_ylim(-0.6, len(modes) - 0.4)
    axes.set_xlim(0, 101)
    axes.set_xlabel("% of deals")
    axes.grid(axis="x")


def _draw_bars(
    axes: Axes, mode: ModeSummary, heights: Sequence[float], edges: Sequence[float]
) -> None:
    """Bars that leave those of other modes behind them to be seen."""
    colour = SERIES[mode.rules.mode]
    axes.stairs(heights, edges, color=colour, fill=True, alpha=0.12)
    axes.stairs(heights, edges, color=colour, linewidth=1.6, label=mode.name)


def _draw_effort(axes: Axes, modes: list[ModeSummary]) -> None:
    for mode in modes:
        bins = sorted(mode.node_bins)
        span = range(bins[0], bins[-1] + 1)
        total = mode.node_bins.total()
        heights = [100 * mode.node_bins[each] / total for each in span]
        _draw_bars(axes, mode, heights, [2 ** (each / NODE_BINS) for each in (*span, span.stop)])
    axes.set_xscale("log")
    axes.set_xlabel("nodes")
    axes.set_ylabel("% of deals")
    axes.grid(axis="y")


def _draw_values(axes: Axes, name: str, modes: list[ModeSummary]) -> None:
    values = [value for mode in modes for value in mode.distributions[name].counts]
    least, most = min(values), max(values)
    # Bars of unequal numbers of possible values would make a comb: scores go in fives.
    step = math.gcd(*(value - least for value in values)) or 1
    width = step * max(-(-(most - least + 1) // (BINS * step)), 1)
    edges = list(range(least, most + width + 1, width))
    for mode in modes:
        distribution = mode.distributions[name]
        heights = [0.0] * (len(edges) - 1)
        for value, count in distribution.counts.items():
            heights[(value - least) // width] += 100 * count / distribution.total
        _draw_bars(axes, mode, heights, edges)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel(TITLES[name])
    axes.set_ylabel("% of deals")
    axes.grid(axis="y")
