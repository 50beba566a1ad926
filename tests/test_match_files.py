"""`dsol match -o FOLDER`: a row a game in Parquet files, and going on with them."""

import json

import pyarrow.parquet as pq
import pytest
from double_solitaire.batch.matches import KEY, PAIRS, SCHEMA, pairs_in_a_file

WORDS = ("match", "careful", "casual", "--quiet")


def rows(folder):
    return [
        row
        for path in sorted(folder.glob("mode=*/*.parquet"))
        for row in pq.read_table(path, partitioning=None).to_pylist()
    ]


def test_a_row_a_game(dsol, tmp_path):
    folder = tmp_path / "games"
    code, out, _ = dsol(*WORDS, "+6", "-o", folder, "--json", "--deals", "DS2-D3V-AAAAAAC")
    assert code == 0
    found = rows(folder)
    assert len(found) == 12
    assert set(found[0]) == set(SCHEMA.names)
    assert [row["code"] for row in found[::2]] == [f"DS2-D3V-AAAAAA{each}" for each in "CDEFGH"]
    told = json.loads(out)
    assert told == json.loads(dsol(*WORDS, "+6", "--json", "--deals", "DS2-D3V-AAAAAAC")[1])
    first = [row["up_a"] if row["seat"] == "A" else row["up_b"] for row in found]
    assert sum(first) == told["cards"][0]
    for row in found:
        names = {"A": row["player_a"], "B": row["player_b"]}
        assert names[row["seat"]] == "careful"
        assert (row["style"], row["first"], row["pace_a"]) == ("alternating", "A", None)
        assert row["winner"] in ("A", "B", None)
        assert row["end"] in ("out", "idle", "dead")
        assert row["draws_a"] + row["draws_b"] <= row["turns"]
        assert row["thought_a"] == row["thought_b"] == 0
    assert {row["game"] + row["scoring"] for row in found} == {"DS2V"}
    assert all(field.metadata[b"doc"] for field in SCHEMA)


def test_the_same_command_goes_on_and_equal_runs_give_equal_bytes(dsol, tmp_path, monkeypatch):
    one, other = tmp_path / "one", tmp_path / "other"
    assert dsol(*WORDS, "+7", "-o", one, "--shard-size", "3")[0] == 0
    names = sorted(path.name for path in one.glob("*/*"))
    assert names == [
        f"DS2-0000000000{first}-000000{n}.parquet" for first, n in ((0, 3), (3, 3), (6, 1))
    ]
    (one / "mode=D1N" / names[1]).unlink()
    before = {path: path.stat().st_mtime_ns for path in one.glob("*/*")}
    longer = dsol(*WORDS, "+10", "-o", one, "--shard-size", "3")
    assert longer == dsol(*WORDS, "+10", "-o", other, "--shard-size", "3", "--jobs", "2")
    assert all(path.stat().st_mtime_ns == when for path, when in before.items())
    assert len(rows(one)) == 20
    assert sorted(map(str, rows(one))) == sorted(map(str, rows(other)))
    shared = [path.name for path in other.glob("*/*") if (one / "mode=D1N" / path.name).exists()]
    assert len(shared) >= 2
    for name in shared:
        path = f"mode=D1N/{name}"
        assert (one / path).read_bytes() == (other / path).read_bytes()
    # All of it is there, so nothing is played.
    monkeypatch.setattr("double_solitaire.versus.contest.Arena.play_pair", None)
    assert dsol(*WORDS, "+10", "-o", one) == longer
    assert "10 pairs" in longer[1]


def test_both_at_once_and_handicaps_have_columns(dsol, tmp_path):
    more = ["--simultaneous", "--pace", "1.5,2", "--draw-b", "3", "--ahead-a", "4"]
    assert dsol(*WORDS, "+3", "-o", tmp_path, *more)[0] == 0
    for row in rows(tmp_path):
        assert (row["style"], row["first"]) == ("simultaneous", None)
        assert {row["pace_a"], row["pace_b"]} == {1.5, 2.0}
        assert row["pace_a"] == (1.5 if row["seat"] == "A" else 2.0)
        assert (row["draw_a"], row["draw_b"], row["ahead_a"], row["ahead_b"]) == (None, 3, 4, 0)
        assert row["game_seconds"] > 10
        assert row["late_a"] is not None


def test_a_mirror_deal_has_a_file(dsol, tmp_path):
    words = [*WORDS, "+1", "--deals", "DS2-D1N-AAAAAAB+AAAAAAB", "-o", tmp_path]
    first = dsol(*words)
    assert first[0] == 0
    assert [row["deal_number"] for row in rows(tmp_path)] == [None, None]
    assert dsol(*words) == first


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--seed", "1"], "was made with seed 0, not 1: use another folder"),
        (["--first", "B"], 'was made with first "A", not "B"'),
        (["--no-adjudicate"], "was made with adjudicates true, not false"),
        (["--draw-a", "3"], "was made with house"),
    ],
)
def test_games_of_another_match_are_not_mixed(more, words, dsol, tmp_path):
    assert dsol(*WORDS, "+2", "-o", tmp_path)[0] == 0
    code, _, err = dsol(*WORDS, "+2", "-o", tmp_path, *more)
    assert (code, words in err, err.count("\n")) == (1, True, 1), err


def test_what_is_no_file_of_games(dsol, tmp_path):
    assert dsol(*WORDS, "+4", "-o", tmp_path, "--shard-size", "2")[0] == 0
    path = sorted(tmp_path.glob("*/*"))[0]
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    code, _, err = dsol(*WORDS, "+4", "-o", tmp_path)
    assert code == 1
    assert "is no whole Parquet file of games; remove it, and they are played again" in err
    pq.write_table(
        pq.ParquetFile(sorted(tmp_path.glob("*/*"))[1]).read().replace_schema_metadata({}), path
    )
    assert "was not written by dsol match" in dsol(*WORDS, "+4", "-o", tmp_path)[2]
    path.unlink()
    assert dsol(*WORDS, "+4", "-o", tmp_path)[0] == 0
    assert len(rows(tmp_path)) == 8
    (metadata,) = {pq.ParquetFile(each).schema_arrow.metadata[KEY] for each in tmp_path.glob("*/*")}
    assert json.loads(metadata)["players"] == ["careful", "casual"]


def test_files_are_short_where_a_player_thinks():
    assert pairs_in_a_file(("careful", "casual"), 1000) == PAIRS
    assert pairs_in_a_file(("careful", "strong"), 1000) == 20
    assert pairs_in_a_file(("strong", "casual"), 10**6) == 1


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--shard-size", "5"], "--shard-size is the size of the files of -o FOLDER"),
        (["--pace", "2"], "--pace is for --simultaneous"),
        (["--simultaneous", "--first", "A"], "--first is for play in turns"),
        (["--simultaneous", "--turn", "fits"], "--turn is for play in turns"),
        (["--simultaneous", "--pace", "1,2,3"], "seconds a card"),
    ],
)
def test_options_that_would_do_nothing(more, words, dsol):
    code, _, err = dsol(*WORDS, "+1", *more)
    assert (code, words in err) == (2, True), err
