"""Reading a folder of results: by other programs, merged, as a report and as a page."""

import datetime
import json
import os
import re
import socket
import subprocess
import sys
import warnings
from xml.etree import ElementTree

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from double_solitaire.batch import compact as compact_module
from double_solitaire.batch.compact import compact
from double_solitaire.batch.folder import Folder
from double_solitaire.batch.page import scale_of
from double_solitaire.batch.report import figure, limits_text, percent, text
from double_solitaire.batch.run import Batch
from double_solitaire.batch.schema import OLD_SCHEMA, SCHEMA, decode, encode
from double_solitaire.batch.settings import BatchError, Settings
from double_solitaire.batch.shards import Item, Shard, cut_lists, cut_ranges
from double_solitaire.batch.summary import Distribution, share_of, summarise, wilson
from double_solitaire.batch.watch import Watch
from double_solitaire.cli.main import run
from double_solitaire.engine.codes import DealCode, Range
from double_solitaire.solver.verdict import Limits
from games import MODES, mode

SETTINGS = Settings(Limits())
NUMBER = 40


def row(code, number):
    """A made-up row: every fourth deal is lost, every fifth undecided."""
    verdict = "unknown" if number % 5 == 0 else "unwinnable" if number % 4 == 0 else "winnable"
    rules = code.rules
    won = verdict == "winnable"
    return dict.fromkeys(SCHEMA.names) | {
        "code": str(code),
        "deal_number": number,
        "game": rules.game,
        "draw": rules.draw,
        "scoring": rules.scoring.value,
        "verdict": verdict,
        "reason": "made up",
        "winnable_without_take_back": None if verdict == "unknown" else won,
        "score_low": 100 + number if won else None,
        "score_high": 110 + number if won else None,
        "score_proved": False if won else None,
        "won": True if won else None,
        "score": -rules.cards + 5 * number if won else None,
        "cards_up": rules.cards if won else None,
        "recycles": number % 3 if won else None,
        "move_count": 200 + number if won else None,
        "moves": "draw W>F" if won else None,
        "nodes": 2**number,
        "seconds": 0.5,
        "difficulty": 50.0 + number % 3 if won else None,
        "level": ("easy", "hard")[number % 2] if won else None,
        "solver": SETTINGS.solver,
        "limit_nodes": 5_000_000,
        "limit_memory": 2 << 30,
    }


def write(folder, shard, settings=SETTINGS, **cells):
    found = [row(DealCode(shard.rules, item.number), item.number) for item in shard.deals()]
    found = [each | cells for each in found]
    columns = {name: [each[name] for each in found] for name in SCHEMA.names}
    path = folder / shard.path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(encode(columns, settings.metadata()))


@pytest.fixture
def results(tmp_path):
    folder = tmp_path / "results"
    for text_ in ("D1N", "D3V"):
        for shard in cut_ranges([Range(mode(text_), 0, NUMBER - 1)], 15, moves=False):
            write(folder, shard)
    return folder


@pytest.fixture
def dsol(capsys):
    def call(*arguments):
        code = run([str(argument) for argument in arguments])
        return code, *capsys.readouterr()

    return call


# Other programs


def test_pyarrow_pandas_polars_and_duckdb_read_the_folder(results):
    duckdb, pandas, polars = map(pytest.importorskip, ("duckdb", "pandas", "polars"))
    pattern = f"{results}/*/*.parquet"
    query = (
        "SELECT code, mode, verdict, move_count, moves "
        f"FROM read_parquet('{pattern}', hive_partitioning = true)"
    )
    names = ["code", "mode", "verdict", "move_count", "moves"]
    frame = pandas.read_parquet(results)[names].astype(object)
    found = [
        pq.read_table(results).select(names).to_pylist(),
        frame.where(frame.notna(), None).to_dict("records"),
        polars.read_parquet(pattern, hive_partitioning=True).select(names).to_dicts(),
        [dict(zip(names, each, strict=True)) for each in duckdb.sql(query).fetchall()],
    ]
    found = [sorted(each, key=lambda cells: cells["code"]) for each in found]
    assert len(found[0]) == 2 * NUMBER
    assert found.count(found[0]) == 4


# Merging


def everything(folder):
    return [
        each
        for path in sorted(folder.rglob("*.parquet"))
        for each in pq.read_table(path, partitioning=None).to_pylist()
    ]


def test_merged_files_hold_the_same_rows_in_the_same_order(dsol, results, tmp_path):
    large = tmp_path / "large"
    code, out, _ = dsol("compact", results, "-o", large)
    assert (code, out) == (0, f"{large}: 80 rows, 6 files into 2\n")
    assert everything(large) == everything(results)
    names = [path.name for path in sorted(large.rglob("*.parquet"))]
    assert names == ["DS1-00000000000-0000040.parquet"] * 2
    table = pq.ParquetFile(next(large.rglob("*.parquet")))
    assert table.schema_arrow.equals(SCHEMA)
    assert table.schema_arrow.metadata.items() >= SETTINGS.metadata().items()


def test_merged_files_have_no_more_rows_than_asked_for(results, tmp_path):
    merged = compact(results, tmp_path / "large", 30)
    assert (merged.files_read, merged.files_written) == (6, 4)
    assert everything(tmp_path / "large") == everything(results)


def test_only_neighbours_of_the_same_settings_are_merged(tmp_path):
    rules = mode("D1N")
    ranges = [Range(rules, 0, 19), Range(rules, 40, 49)]
    for shard in cut_ranges(ranges, 10, moves=False):
        other = Settings(Limits(nodes=7)) if shard.first == 10 else SETTINGS
        write(tmp_path / "results", shard, other)
    items = [Item(str(DealCode(rules, number)), number) for number in range(8)]
    for shard in cut_lists([(rules, item) for item in items], [], 3, moves=False):
        write(tmp_path / "results", shard)
    compact(tmp_path / "results", tmp_path / "large")
    names = sorted(path.name for path in (tmp_path / "large").rglob("*.parquet"))
    assert names[:3] == [f"DS1-{first:011d}-0000010.parquet" for first in (0, 10, 40)]
    assert names[3:] == [Shard(rules, 0, 8, tuple(items)).name]
    assert everything(tmp_path / "large") == everything(tmp_path / "results")


def test_merging_needs_results_and_an_empty_folder(dsol, results, tmp_path):
    assert dsol("compact", results, "-o", tmp_path / "large")[0] == 0
    assert dsol("compact", results, "-o", tmp_path / "large")[0] == 1
    (tmp_path / "empty").mkdir()
    code, _, err = dsol("compact", tmp_path / "empty", "-o", tmp_path / "other")
    assert (code, err.count("\n")) == (1, 1)
    assert dsol("compact", tmp_path / "none", "-o", tmp_path / "other")[0] == 1


def test_an_empty_folder_may_be_the_target_and_one_with_anything_in_it_not(dsol, results, tmp_path):
    large = tmp_path / "large"
    large.mkdir()
    assert dsol("compact", results, "-o", large)[0] == 0
    assert everything(large) == everything(results)
    other = tmp_path / "other"
    other.mkdir()
    (other / "notes.txt").touch()
    code, _, err = dsol("compact", results, "-o", other)
    assert (code, err) == (1, f"dsol: {other} is not empty; merge into a new folder\n")
    assert [path.name for path in other.iterdir()] == ["notes.txt"]


def test_an_interrupted_merge_leaves_nothing(dsol, results, tmp_path, monkeypatch):
    merge = compact_module._merge

    def interrupted(*files):
        merge(*files)
        raise KeyboardInterrupt

    monkeypatch.setattr(compact_module, "_merge", interrupted)
    assert dsol("compact", results, "-o", tmp_path / "large")[0] == 130
    assert list(tmp_path.iterdir()) == [results]
    (tmp_path / "large").mkdir()
    assert dsol("compact", results, "-o", tmp_path / "large")[0] == 130
    assert sorted(tmp_path.iterdir()) == [tmp_path / "large", results]
    assert list((tmp_path / "large").iterdir()) == []


def test_a_killed_merge_leaves_no_target_and_the_next_one_clears_it(dsol, results, tmp_path):
    code = (
        "import os, sys; from double_solitaire.batch import compact; merge = compact._merge\n"
        "compact._merge = lambda *files: (merge(*files), os.kill(os.getpid(), 9))\n"
        "from double_solitaire.cli.main import run; run(sys.argv[1:])"
    )
    large = tmp_path / "large"
    words = [sys.executable, "-c", code, "compact", str(results), "-o", str(large)]
    assert subprocess.run(words, check=False).returncode == -9
    (left,) = set(tmp_path.iterdir()) - {results}
    assert left.name.startswith(".large.")
    assert len(list(left.rglob("*.parquet"))) == 1
    alive = tmp_path / f".large.{socket.gethostname()}-{os.getppid()}.partial"
    alive.mkdir()
    assert dsol("compact", results, "-o", large)[0] == 0
    assert everything(large) == everything(results)
    assert sorted(tmp_path.iterdir()) == [alive, large, results]


# Files that are no results


def damage(path, how):
    """Make a file of results one that is none."""
    data = path.read_bytes()
    match how:
        case "empty":
            path.write_bytes(b"")
        case "cut":
            path.write_bytes(data[: len(data) // 2])
        case "page":
            path.write_bytes(data[:4] + b"\xff" * 400 + data[404:])
        case "other columns":
            pq.write_table(pa.table({"a": [1]}), path)
        case "no settings":
            pq.write_table(pq.read_table(path, partitioning=None).replace_schema_metadata(), path)
        case "missing column":
            pq.write_table(pq.read_table(path, partitioning=None).drop_columns("nodes"), path)


ANEW = "; the same dsol batch as before makes it anew"
DAMAGED = f"is no whole Parquet file of results{ANEW}"
FOREIGN = f"was not written by dsol batch{ANEW}"


@pytest.mark.parametrize(
    ("how", "message"),
    [
        *((how, DAMAGED) for how in ("empty", "cut", "page")),
        *((how, FOREIGN) for how in ("other columns", "no settings")),
        ("missing column", f"has other columns than files of this version of dsol{ANEW}"),
    ],
)
def test_a_file_that_is_no_result_is_named(dsol, results, tmp_path, how, message):
    path = sorted(results.rglob("*.parquet"))[1]
    damage(path, how)
    for words in (("report",), ("compact", "-o", tmp_path / "large")):
        assert dsol(*words, results) == (1, "", f"dsol: {path} {message}\n")
        assert list(tmp_path.iterdir()) == [results]
    again = Batch(Folder(results), Watch(None, shown=False, quiet=True)).undecided(SETTINGS)
    with pytest.raises(BatchError, match=f"^{re.escape(f'{path} {message}')}$"):
        list(again)


def test_a_file_with_other_rows_than_its_name_says_is_not_merged(dsol, results, tmp_path):
    path = sorted(results.rglob("*.parquet"))[2]
    path = path.rename(path.with_name("DS1-00000000030-0000012.parquet"))
    code, _, err = dsol("compact", results, "-o", tmp_path / "large")
    message = f"dsol: {path} holds other deals than its name says{ANEW}\n"
    assert (code, err) == (1, message)


# Numbers


@pytest.mark.parametrize(
    ("count", "total", "low", "high"),
    # As tabulated for Wilson's interval without correction at 95 %.
    [
        (0, 10, 0.0, 0.2775),
        (5, 10, 0.2366, 0.7634),
        (10, 10, 0.7225, 1.0),
        (81, 263, 0.2553, 0.3662),
    ],
)
def test_wilson(count, total, low, high):
    assert wilson(count, total) == pytest.approx((low, high), abs=5e-5)


def test_undecided_deals_are_counted_both_ways():
    share = share_of(60, 10, 100)
    assert (share.low, share.high) == (0.6, 0.7)
    assert share.interval == (wilson(60, 100)[0], wilson(70, 100)[1])


def test_quantiles_are_values_that_were_seen():
    distribution = Distribution()
    distribution.counts.update([1, 2, 2, 10])
    assert [distribution.quantile(part) for part in (0, 0.25, 0.5, 0.75, 0.76, 1)] == [
        *(1, 1, 2, 2, 10, 10)
    ]
    assert distribution.mean == 3.75


def test_a_summary_counts_every_row(results):
    summary = summarise(results, 6)
    assert [mode.name for mode in summary.modes] == ["DS1-D1N", "DS1-D3V"]
    for each in summary.modes:
        counts = each.verdicts
        assert (counts.deals, counts.winnable, counts.unwinnable, counts.unknown) == (40, 24, 8, 8)
        assert (each.without_take_back, each.unknown_without_take_back) == (24, 8)
        assert (each.bounded, each.gap, each.timed, each.seconds) == (24, 240, 40, 20.0)
        assert each.nodes == 2**NUMBER - 1
        assert each.distributions["move_count"].total == 24
        assert each.levels == {"easy": 8, "hard": 16}
        assert [deal["nodes"] for deal in each.costliest] == [
            2**n for n in range(39, 0, -1) if n % 5
        ][:10]
        assert each.longest[0]["move_count"] == 239
        # Every fourth is lost, every fifth undecided, which comes first.
        assert [deal["nodes"] for deal in each.lost] == [
            2**n for n in range(NUMBER) if n % 4 == 0 and n % 5
        ][:6]
        assert [deal["nodes"] for deal in each.undecided] == [2**n for n in range(0, 30, 5)]
        # Difficulties go round: 50, 51, 52.
        assert {deal["difficulty"] for deal in each.hardest[:8]} == {52}
        assert {deal["verdict"] for deal in each.hardest} == {"winnable"}
    assert summary.solvers == [SETTINGS.solver]
    assert summary.limits == [Limits()]


@pytest.mark.parametrize("verdict", ["unwinnable", "winnable", "unknown"])
def test_a_lost_deal_counts_as_lost_also_without_taking_back(tmp_path, verdict):
    write(tmp_path, Shard(mode("D1N"), 1, 3))
    write(tmp_path, Shard(mode("D1N"), 4, 1), verdict=verdict, winnable_without_take_back=None)
    (found,) = summarise(tmp_path, 1).modes
    share = found.winnable_without_take_back
    assert (share.low, share.high) == (0.75, 0.75 if verdict == "unwinnable" else 1)


# What a person reads


def test_the_report_as_text(dsol, results):
    code, out, err = dsol("report", results)
    assert (code, err) == (0, "")
    assert "DS1-D1N: 40 deals: 24 winnable, 8 unwinnable, 8 undecided" in out
    low, high = wilson(24, 40)[0], wilson(32, 40)[1]
    interval = f"(95 % interval {100 * low:.0f} % to {100 * high:.0f} %)"
    assert f"winnable 60 % to 80 % {interval}" in out
    assert "limits of a deal: 5,000,000 nodes, 2 GiB" in out
    assert "-$99" in out
    assert "levels: easy 8, hard 16" in out
    assert out.count("DS1-D3V-AAAAABH unwinnable") == 0
    assert "  unwinnable:\n    DS1-D1N-AAAAAAE 16 nodes, made up\n" in out
    assert "  undecided:\n    DS1-D1N-AAAAAAA 1 node, made up\n" in out
    assert "more; --list N" not in out
    assert "    DS1-D1N-AAAAAAC easy, difficulty 52.0\n" in out
    assert "DS1-D3V-AAAAABH winnable, 549,755,813,888 nodes, 239 moves" in out


def test_a_report_on_no_rows_and_on_no_folder(dsol, tmp_path):
    path = tmp_path / "results"
    shard = next(iter(cut_lists([], [mode("D1N")], None, moves=False)))
    write(path, shard)
    assert text(summarise(path, 1)) == "solver none\nno deals\n"
    assert dsol("report", path, "--html", tmp_path / "page.html")[0] == 0
    with pytest.raises(BatchError, match="holds no results"):
        summarise(tmp_path, 1)
    code, _, err = dsol("report", tmp_path / "none")
    assert (code, err.count("\n")) == (1, 1)


def test_the_page_needs_no_other_file_and_has_two_faces(dsol, results, tmp_path):
    pytest.importorskip("matplotlib")
    pytest.importorskip("jinja2")
    path = tmp_path / "page é.html"
    code, out, err = dsol("report", results, "--html", path, "--title", "A <title> & more")
    assert (code, out, err) == (0, "", "")
    page = path.read_text(encoding="utf-8")
    assert "A &lt;title&gt; &amp; more" in page
    assert "prefers-color-scheme: dark" in page
    assert "<script" not in page
    assert not re.search(r'(?:src|href)="(?!#)|url\((?!#)|@import', page)
    assert "60\N{NO-BREAK SPACE}% to 80\N{NO-BREAK SPACE}%" in page
    assert datetime.date.today().isoformat() in page
    assert "dsol report" in page and "--title &#39;A &lt;title&gt; &amp; more&#39;" in page
    assert "Limits of a deal: 5,000,000 nodes, 2 GiB." in page
    assert "Unwinnable: 8" in page and "<code>DS1-D1N-AAAAAAE</code>" in page
    pictures = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
    assert len(pictures) >= 6
    names = re.findall(r'\bid="([^"]+)"', page)
    assert len(names) == len(set(names))
    for picture in pictures:
        root = ElementTree.fromstring(picture)
        targets = re.findall(r'(?:href="#|url\(#)([^")]+)', picture)
        assert set(targets) <= {element.get("id") for element in root.iter()}
        assert not re.search("#(?:010203|040506|11aa0[1-4])", picture)
    assert dsol("report", results, "--html", path, "--title", "A <title> & more")[0] == 0
    assert path.read_text(encoding="utf-8") == page


def test_the_page_has_a_column_of_moves_only_where_a_deal_has_a_list(dsol, tmp_path):
    pytest.importorskip("matplotlib")
    pytest.importorskip("jinja2")
    path = tmp_path / "page.html"
    shard = Shard(mode("D1N"), 0, 10)
    for cells, there in ({}, True), ({"move_count": None}, False):
        write(tmp_path / "results", shard, **cells)
        assert dsol("report", tmp_path / "results", "--html", path)[0] == 0
        assert ("<th>moves</th>" in path.read_text(encoding="utf-8")) == there


OVERLAPS = """
const boxes = (selector, part = document) =>
  [...part.querySelectorAll(selector)].map(each => each.getBoundingClientRect())
    .filter(box => box.width > 0);
const wrong = [];
for (const scale of document.querySelectorAll(".scale")) {
  const labels = boxes("span", scale);
  if (labels.length < 2) wrong.push("a scale without labels");
  for (let at = 1; at < labels.length; at++)
    if (labels[at].left < labels[at - 1].right) wrong.push("labels of a scale collide");
}
for (const card of document.querySelectorAll(".card")) {
  const outer = card.getBoundingClientRect();
  for (const box of boxes("td, p, .scale span, svg", card))
    if (box.left < outer.left || box.right > outer.right + 0.5)
      wrong.push("cut off in " + card.innerText);
}
if (document.documentElement.scrollWidth > innerWidth) wrong.push("wider than the window");
return wrong;
"""


def test_nothing_collides_or_is_cut_on_a_page_of_any_width(browser, dsol, results, tmp_path):
    pytest.importorskip("matplotlib")
    # Shares near 100 % have the longest labels, and these are the longest numbers.
    long = {"nodes": 10**12, "move_count": 10**6}
    write(tmp_path / "large", Shard(mode("D3N"), 0, 5_000), verdict="winnable", **long)
    write(tmp_path / "large", Shard(mode("D3N"), 5_000, 1), verdict="unwinnable", **long)
    for folder in (results, tmp_path / "large"):
        path = tmp_path / f"{folder.name}.html"
        assert dsol("report", folder, "--html", path)[0] == 0
        for width in (320, 360, 768, 1280):
            screen = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False}
            browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
            browser.get(path.as_uri())
            assert browser.execute_script(OVERLAPS) == [], width
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.mark.parametrize("cells", [{}, {"nodes": 0}, {"verdict": "unknown", "move_count": None}])
@pytest.mark.parametrize("games", [("DS1",), ("DS1", "KL1")])
def test_the_page_is_drawn_without_a_warning(dsol, tmp_path, games, cells):
    pytest.importorskip("matplotlib")
    pytest.importorskip("jinja2")
    for game in games:
        for name in MODES:
            write(tmp_path / "results", Shard(mode(name, game), 1, 1), **cells)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        code, _, err = dsol("report", tmp_path / "results", "--html", tmp_path / "page.html")
    assert (code, err) == (0, "")


def test_one_is_one_deal_one_node_one_move(dsol, tmp_path):
    folder = tmp_path / "results"
    write(folder, Shard(mode("D1N"), 1, 1), nodes=1, move_count=1)
    code, out, _ = dsol("report", folder)
    assert code == 0
    assert "DS1-D1N: 1 deal: 1 winnable" in out
    assert "best score proved for 0 of 1 deal," in out
    assert "DS1-D1N-AAAAAAB winnable, 1 node, 1 move\n" in out
    large = tmp_path / "large"
    assert dsol("compact", folder, "-o", large)[1] == f"{large}: 1 row, 1 file into 1\n"


@pytest.mark.parametrize(
    ("count", "deals", "shown"),
    [
        (59, 60, "98 %"),
        (1, 60, "2 %"),
        (0, 60, "0 %"),
        (60, 60, "100 %"),
        (999, 1000, "99.9 %"),
        (99, 100, "99 %"),
        (150, 151, "99.3 %"),
        (999_995, 1_000_000, "99.9995 %"),
        (1, 1_000_000, "0.0001 %"),
        (10**9 - 1, 10**9, "99.9999999 %"),
    ],
)
def test_a_share_has_the_digits_that_its_deals_carry(count, deals, shown):
    assert percent(count / deals, deals) == shown


@pytest.mark.parametrize("deals", [2, 7, 60, 101, 999, 1000, 12_345, 10**6, 10**8])
def test_no_bound_looks_like_all_or_nothing_where_a_deal_speaks_against_it(deals):
    for count in {1, 2, deals // 2, deals - 1} - {0}:
        for end in (count / deals, *wilson(count, deals)):
            assert 0 < float(percent(end, deals).removesuffix(" %")) < 100 or count == deals


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0, "0"), (0.01234, "0.0123"), (1.2, "1.2"), (45.67, "45.7"), (12_345.6, "12,346")],
)
def test_figures_have_three_digits_that_count(value, shown):
    assert figure(value) == shown


def test_limits_in_words():
    assert limits_text(Limits(nodes=1, seconds=2.5)) == "1 node, 2.5 s, 2 GiB"
    assert limits_text(Limits(nodes=None, memory=512 << 20)) == "512 MiB"


@pytest.mark.parametrize(
    ("low", "high"),
    [(0, 1), (0.9999, 0.99999), (0.27, 0.41), (1, 1), (0, 0), (0.5, 0.5), (0.999999, 1), (0, 1e-6)],
)
def test_a_scale_shows_its_shares_well(low, high):
    scale = scale_of(low, high)
    assert 0 <= scale.low <= low + 1e-12 and high <= scale.high + 1e-12 <= 1 + 1e-12
    assert low == high or (high - low) > (scale.high - scale.low) / 4
    labels = [label for _, label in scale.ticks]
    assert 2 <= len(labels) == len(set(labels)) <= 6
    assert [float(label) for label in labels] == pytest.approx(
        [100 * tick for tick, _ in scale.ticks]
    )


@pytest.mark.parametrize(("listed", "shown", "more"), [(0, 0, 8), (3, 3, 5), (8, 8, 0), (99, 8, 0)])
def test_so_many_lost_and_undecided_deals_are_listed(dsol, results, tmp_path, listed, shown, more):
    code, out, _ = dsol("report", results, "--list", listed)
    assert code == 0
    rest = re.findall(r"and (\d+) more; --list N lists N", out)
    # Two kinds in two modes.
    assert rest == [str(more)] * (4 if more else 0)
    code, out, _ = dsol("report", results, "--list", listed, "--json")
    for found in json.loads(out)["modes"]:
        assert len(found["unwinnable_deals"]) == len(found["undecided_deals"]) == shown
    path = tmp_path / "page.html"
    assert dsol("report", results, "--list", listed, "--html", path)[0] == 0
    assert (f"and {more} more" in path.read_text(encoding="utf-8")) == bool(more)


def test_the_report_as_json(dsol, results, tmp_path):
    code, out, err = dsol("report", results, "--json")
    assert (code, err, out.count("\n")) == (0, "", 1)
    found = json.loads(out)
    assert found["solvers"] == [SETTINGS.solver]
    assert found["limits"] == [{"nodes": 5_000_000, "seconds": None, "memory": 2 << 30}]
    first = found["modes"][0]
    assert (first["game"], first["draw"], first["scoring"]) == ("DS1", 1, "N")
    assert (first["deals"], first["winnable"], first["unwinnable"], first["unknown"]) == (
        *(40, 24, 8, 8),
    )
    assert first["share_winnable"]["low"] == 0.6
    assert first["distributions"]["move_count"]["most"] == 239
    assert first["levels"] == {"easy": 8, "hard": 16}
    assert first["longest_deals"][0]["code"] == "DS1-D1N-AAAAABH"
    path = tmp_path / "page.html"
    assert dsol("report", results, "--json", "--html", path)[:2] == (0, out)
    assert path.exists()


# Levels


@pytest.mark.parametrize(
    "levels",
    [["hard", "easy"], [None, None], ["very hard", None], ["medium", "medium"], []],
)
def test_levels_are_kept_in_their_order(tmp_path, levels):
    rows = [row(DealCode(mode("D1N"), n), n) | {"level": each} for n, each in enumerate(levels)]
    path = tmp_path / "some.parquet"
    columns = {name: [each[name] for each in rows] for name in SCHEMA.names}
    path.write_bytes(encode(columns, SETTINGS.metadata()))
    assert pq.read_schema(path).field("level").type.ordered
    table = pq.read_table(path)
    assert table["level"].to_pylist() == levels
    pandas = pytest.importorskip("pandas")
    found = pandas.read_parquet(path)["level"]
    assert found.cat.ordered
    if levels:
        assert list(found.cat.categories) == ["very easy", "easy", "medium", "hard", "very hard"]
    assert decode(path.read_bytes())[0]["level"] == levels


def as_version_0_1(path):
    """Write a file as version 0.1.0 did: the levels without order, as they come."""
    table = pq.read_table(path, partitioning=None)
    level = OLD_SCHEMA.get_field_index("level")
    old = table["level"].cast(pa.string()).combine_chunks().dictionary_encode()
    arrays = [*table.columns[:level], old, *table.columns[level + 1 : len(OLD_SCHEMA)]]
    schema = OLD_SCHEMA.with_metadata(table.schema.metadata)
    pq.write_table(pa.Table.from_arrays(arrays, schema=schema), path, compression="zstd")
    assert not pq.read_schema(path).field("level").type.ordered


@pytest.mark.parametrize("every", [1, 2, 3])
def test_files_of_version_0_1_read_and_merge_with_new_ones(dsol, results, tmp_path, every):
    before = everything(results)
    report = dsol("report", results, "--json")
    for path in sorted(results.rglob("*.parquet"))[::every]:
        as_version_0_1(path)
    assert dsol("report", results, "--json") == report
    large = tmp_path / "large"
    assert dsol("compact", results, "-o", large)[0] == 0
    assert everything(large) == before
    for path in large.rglob("*.parquet"):
        assert pq.ParquetFile(path).schema_arrow.equals(SCHEMA)
    assert dsol("report", large, "--json") == report


def test_parts_with_other_levels_merge(results, tmp_path):
    for first, level in ((0, "very hard"), (10, "easy"), (20, None), (30, "medium")):
        write(tmp_path / "parts", Shard(mode("D1V"), first, 10), level=level)
    compact(tmp_path / "parts", tmp_path / "large")
    (path,) = (tmp_path / "large").rglob("*.parquet")
    found = pq.read_table(path, partitioning=None)["level"].to_pylist()
    assert found == 10 * ["very hard"] + 10 * ["easy"] + 10 * [None] + 10 * ["medium"]


def test_a_table_of_all_modes_has_one_type(results):
    tables = [pq.read_table(path, partitioning=None) for path in results.rglob("*.parquet")]
    assert pa.concat_tables(tables).num_rows == 2 * NUMBER
