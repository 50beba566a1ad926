"""What is said to a person in the same words everywhere."""

from ..engine.rules import Rules, Scoring


def score_text(rules: Rules, score: int) -> str:
    """Points as they are; dollars as `$416`, `-$104`."""
    if rules.scoring is not Scoring.VEGAS:
        return str(score)
    return f"{'-' if score < 0 else ''}${abs(score)}"
