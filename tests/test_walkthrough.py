"""The page of a list of moves: what it holds, and, in a browser, what it shows at each step."""

import functools
import os
import re
from itertools import pairwise
from pathlib import Path

import pytest
from double_solitaire.cli.main import run
from double_solitaire.engine.cards import card_of, card_text
from double_solitaire.engine.deal import Position
from double_solitaire.engine.dealing import resolve
from double_solitaire.pages.story import tell
from double_solitaire.pages.walkthrough import walkthrough
from double_solitaire.solver.solve import solve
from double_solitaire.solver.verdict import Limits

CODE = "DS1-D1N-AAAAAAB"
DEALS = [f"DS1-{mode}-AAAAA{end}" for mode in ("D1N", "D3N") for end in ("AB", "AC", "AD", "AE")]
DEALS += ["DS1-D1V-AAAAAAC", "KL1-D3N-AAAAAAB"]
LARGEST = 300_000
"""Bytes of a page."""


@functools.cache
def asked(name):
    named = resolve(name)
    start = Position.start(named.rules, named.deal)
    return named.rules, start, solve(named.rules, start, Limits(nodes=200_000)).moves


def piles(rules, position):
    """What a page should say of each pile, face-down cards in brackets."""
    shown = {
        "stock": [f"({card_text(card)})" for card in reversed(position.stock)],
        "waste": [card_text(card) for card in position.waste],
    }
    for place, height in enumerate(position.foundations):
        suit = place // rules.places
        shown[f"f{place}"] = [card_text(card_of(rank, suit)) for rank in range(height)]
    for number, (column, hidden) in enumerate(zip(position.columns, position.hidden, strict=True)):
        cards = [card_text(card) for card in column]
        shown[f"c{number}"] = [f"({card})" for card in cards[:hidden]] + cards[hidden:]
    return {name: " ".join(cards) for name, cards in shown.items()}


def test_a_story_is_the_list_with_draws_together():
    rules, start, moves = asked(CODE)
    steps = list(tell(rules, start, moves, first=31))
    assert [move for step in steps for move in step.moves] == list(moves)
    assert (steps[0].first, steps[-1].last) == (31, 30 + len(moves))
    assert all(
        step.after == then.before and step.last + 1 == then.first for step, then in pairwise(steps)
    )
    drawn = next(step for step in steps if len(step.moves) > 1)
    assert drawn.text.startswith(f"draw {len(drawn.moves)} times (")
    assert drawn.number == f"{drawn.first}–{drawn.last}"
    assert sum(step.turned_up is not None for step in steps) == rules.tableau - rules.columns


def test_a_page_needs_nothing_else_and_is_small(tmp_path, capsys):
    page = tmp_path / "list with ä.html"
    assert run(["solve", CODE, "--quiet", "--html", str(page)]) == 0
    printed = capsys.readouterr().out
    text = page.read_text(encoding="utf-8")
    assert len(text.encode()) < LARGEST
    assert not re.findall(r"(?:src|href)=[\"'](?!data:)|https?://|@import|url\(", text)
    head = re.search(r"winnable: (.*)", printed)[1]
    assert head in text


def test_a_page_is_for_one_deal_that_is_won(tmp_path, capsys):
    page = tmp_path / "page.html"
    assert run(["solve", CODE, "DS1-D1N-AAAAAAC", "--quiet", "--html", str(page)]) == 2
    assert "one deal" in capsys.readouterr().err
    page.unlink(missing_ok=True)
    assert run(["solve", "DS1-D3V-AAAAAAD", "--max-nodes", "1", "--html", str(page)]) == 0
    assert "no page written" in capsys.readouterr().err
    assert not page.exists()


def test_what_a_page_says_is_escaped():
    rules, start, _ = asked(CODE)
    text = walkthrough("<b>&</b>", "</script>", rules, start, [])
    assert "<b>&" not in text
    assert text.count("</script>") == 2


def open_page(browser, path, name, place=""):
    rules, start, moves = asked(name)
    path.write_text(walkthrough(name, "a list", rules, start, moves), encoding="utf-8")
    browser.get("about:blank")
    browser.get(f"{path.as_uri()}{place}")
    return rules, start, list(tell(rules, start, moves))


READ = """
const read = () => {
  const seen = {};
  for (const pile of document.querySelectorAll(".pile")) seen[pile.id] = pile.dataset.cards;
  return [seen, document.getElementById("figures").textContent];
};
const readings = [read()];
for (let count = 0; count < arguments[1]; count++) {
  document.getElementById(arguments[0]).click();
  readings.push(read());
}
return readings;
"""


def assert_shows(reading, rules, position, moves):
    seen, figures = reading
    assert seen == piles(rules, position)
    assert f"moves {moves} " in figures
    assert f"cards up {sum(position.foundations)}" in figures


def assert_stands_at(browser, rules, position, moves):
    assert_shows(browser.execute_script(READ, "", 0)[0], rules, position, moves)


@pytest.mark.parametrize("name", DEALS)
def test_each_step_forward_and_back_shows_the_referees_position(browser, tmp_path, name):
    rules, start, steps = open_page(browser, tmp_path / "page.html", name)
    expected = [(start, 0), *((step.after, step.last) for step in steps)]
    for button in ("forward", "back"):
        readings = browser.execute_script(READ, button, len(steps))
        for reading, (position, moves) in zip(readings, expected, strict=True):
            assert_shows(reading, rules, position, moves)
        expected.reverse()


def test_what_is_seen_are_the_cards_of_the_columns(browser, tmp_path):
    _, _, steps = open_page(browser, tmp_path / "page.html", CODE, "#20")
    position = steps[19].after
    for number, (column, hidden) in enumerate(zip(position.columns, position.hidden, strict=True)):
        cards = browser.find_elements("css selector", f"#c{number} > li > span:first-child")
        names = [card.text.translate(str.maketrans("♠♥♦♣", "SHDC")) for card in cards]
        expected = [card_text(card).replace("T", "10") for card in column]
        assert names == ["" if at < hidden else card for at, card in enumerate(expected)]
    browser.find_element("id", "show").click()
    cards = browser.find_elements("css selector", ".tableau li > span:first-child")
    assert all(card.text for card in cards)


def test_keys_slider_address_and_list_go_to_a_step(browser, tmp_path):
    keys = pytest.importorskip("selenium.webdriver.common.keys").Keys
    rules, start, steps = open_page(browser, tmp_path / "page.html", CODE, "#7")
    body = browser.find_element("tag name", "body")
    assert_stands_at(browser, rules, steps[6].after, steps[6].last)
    body.send_keys(keys.ARROW_RIGHT)
    assert_stands_at(browser, rules, steps[7].after, steps[7].last)
    assert browser.current_url.endswith("#8")
    body.send_keys(keys.END)
    assert_stands_at(browser, rules, steps[-1].after, steps[-1].last)
    body.send_keys(keys.HOME)
    assert_stands_at(browser, rules, start, 0)
    slider = browser.find_element("id", "slider")
    slider.send_keys(keys.ARROW_RIGHT, keys.ARROW_RIGHT)
    assert_stands_at(browser, rules, steps[1].after, steps[1].last)
    assert steps[2].text in slider.get_attribute("aria-valuetext").replace("10", "T")
    browser.find_elements("css selector", "#steps button")[4].click()
    assert_stands_at(browser, rules, steps[4].before, steps[4].first - 1)
    assert browser.find_element("css selector", "[aria-current] button").text.startswith(
        f"{steps[4].number}."
    )


def test_the_next_move_is_marked_and_announced(browser, tmp_path):
    _, _, steps = open_page(browser, tmp_path / "page.html", CODE)
    for step in steps[:40]:
        said = browser.find_element("css selector", "[aria-live=polite]").text
        assert step.text in said.replace("10", "T")
        assert browser.find_elements("css selector", ".from")
        assert len(browser.find_elements("css selector", ".to")) == 1
        browser.execute_script("document.getElementById('forward').click()")


@pytest.mark.parametrize("width", [320, 800, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_fits_asks_for_nothing_and_passes_an_audit(browser, tmp_path, width, scheme):
    command = browser.execute_cdp_cmd
    command(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 700, "deviceScaleFactor": 1, "mobile": width < 500},
    )
    command(
        "Emulation.setEmulatedMedia",
        {"features": [{"name": "prefers-color-scheme", "value": scheme}]},
    )
    browser.get_log("browser")
    open_page(browser, tmp_path / "page.html", CODE, "#20")
    assert browser.get_log("browser") == []
    root = "document.documentElement"
    assert browser.execute_script(f"return {root}.scrollWidth <= {root}.clientWidth")
    assert browser.execute_script("return performance.getEntriesByType('resource').length") == 0
    axe = os.environ.get("AXE_CORE")
    if axe:
        browser.execute_script(Path(axe).read_text(encoding="utf-8"))
        found = browser.execute_async_script(
            "axe.run().then(found => arguments[0](found.violations.map("
            "each => [each.id, each.nodes.map(node => node.html)])))"
        )
        assert found == []
    command("Emulation.clearDeviceMetricsOverride", {})
