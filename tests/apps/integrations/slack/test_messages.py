"""How an answer reads in Slack, and that nothing in a question or a table becomes markup there."""

from __future__ import annotations

import pytest

from apps.integrations.slack.desk import ShownTable
from apps.integrations.slack.messages import MAX_SECTION, answer_message, mrkdwn, plain_question, table_text


def table(rows, names=("Owner", "Amount"), right=(False, True), total=None) -> ShownTable:
    return ShownTable(names=names, right=right, rows=rows, total_rows=len(rows) if total is None else total)


def texts(message) -> list[str]:
    return [block["text"]["text"] for block in message.blocks if block["type"] == "section"]


def test_figures_stand_to_the_right_and_the_rest_is_counted():
    shown = table_text(table([["Ann", "1,200"], ["Bartholomew", "7"]], total=40))
    assert shown.splitlines() == [
        "Owner        Amount",
        "-----------  ------",
        "Ann           1,200",
        "Bartholomew       7",
        "2 of 40 rows.",
    ]


def test_a_wide_table_says_how_many_columns_are_left_out():
    names = [f"column {n} with a long name" for n in range(9)]
    shown = table_text(table([["x"] * 9], names=names, right=[False] * 9))
    assert shown.splitlines()[-1] == "4 of 9 columns."
    assert max(map(len, shown.splitlines())) <= 110


@pytest.mark.parametrize("hostile", ["```<!channel>", "<https://evil.example|click>", "<@U123> & co", "a`b", "x\x00y"])
def test_a_cell_cannot_become_markup(hostile):
    message = answer_message(
        text="See the table.", table=table([[hostile, "1"], ["b", "2"]]), url="https://p/c/1", product="P"
    )
    code = texts(message)[1]
    assert (code[:4], code[-4:]) == ("```\n", "\n```")
    assert "```" not in code[3:-3]
    assert not {"<", "\x00"} & set(code)


def test_markdown_becomes_slacks_own_and_links_keep_their_words_only():
    said = mrkdwn("**Won** deals: 3 \\| [more](https://evil.example) ![p](http://x) <b> & <!here>")
    assert said == "*Won* deals: 3 | more p &lt;b&gt; &amp; &lt;!here&gt;"


def test_the_link_leads_to_the_thread_and_the_question_is_repeated_where_nobody_sees_it():
    message = answer_message(
        text="3", table=None, url="https://p/chat/c/1", product="Plumbline", question="How <many>?"
    )
    assert texts(message) == ["*How &lt;many&gt;?*", "3"]
    assert message.blocks[-1]["elements"][0]["text"] == "<https://p/chat/c/1|Open in Plumbline>"
    assert message.text == "3"


def test_nothing_is_longer_than_slack_takes():
    rows = [["x" * 200, str(n)] for n in range(400)]
    message = answer_message(text="y" * 9_000, table=table(rows), url="u", product="P", question="z" * 9_000)
    assert all(len(text) <= 3_000 for text in texts(message))
    assert len(message.text) <= MAX_SECTION


@pytest.mark.parametrize(
    ("typed", "question"),
    [
        ("<@UBOT> how many deals?", "how many deals?"),
        ("<@UBOT>  sales in <#C12|north> &amp; south &gt; 5", "sales in north & south > 5"),
        ("see <https://a.example/x|this>", "see this"),
        ("<@UBOT>", ""),
    ],
)
def test_a_question_is_what_the_person_sees(typed, question):
    assert plain_question(typed, bot_user_ids={"UBOT"}) == question
