"""Whether a message says all of what it asks, so that it is read anew and changes nothing that was told before."""

from __future__ import annotations

from apps.analyst.computing.compile.walk import references
from apps.analyst.conversation.piece import Piece
from apps.analyst.conversation.pieces import ENDS, Message
from apps.analyst.conversation.scene import Scene
from apps.analyst.conversation.subject import Subject
from apps.analyst.conversation.words import phrases
from apps.analyst.knowledge.english import english
from apps.analyst.knowledge.folding import folded, singular
from apps.analyst.plan import ColumnRef, Query

_LEADS = (
    "and",
    "also",
    "only",
    "without",
    "instead",
    "correct",
    "lead",
    "anaphor",
    "both",
    "all",
    "shift",
    "back",
    "worth",
)
_GOING_ON = ("also", "only", "without", "instead", "correct", "lead", "both", "shift", "back", "happened")
"""What says wherever it stands that a message goes on."""
_NAMES = ("column", "noun", "value")


def stands_alone(said: Message, subject: Subject, scene: Scene) -> bool:
    """True for a question that says all of what it asks: what is counted or computed, and of what."""
    if divided(said, scene) is not None and not said.has("value", "period", "noun"):
        return False
    return bool(said.pieces) and (_is_named(said) or _is_asked_anew(said, subject, scene))


def divided(said: Message, scene: Scene) -> tuple[Piece, Piece] | None:
    """The two figures of "cost per visit", where both add up: that is one figure, and tells nothing apart."""
    for before, by, behind in zip(said.pieces, said.pieces[1:], said.pieces[2:], strict=False):
        if by.kind != "by" or phrases().dividing.isdisjoint(said.tokens[by.start : by.end]):
            continue
        if before.kind == behind.kind == "column" and scene.adds_up(_first(before)) and scene.adds_up(_first(behind)):
            return before, behind
    return None


def _first(piece: Piece) -> ColumnRef:
    return ColumnRef(table=piece.columns[0][0], column=piece.columns[0][1])


def says_it_goes_on(said: Message) -> bool:
    """True for a message that is none without what was said before: "and in units", "who bought them?"."""
    first = next((piece.kind for piece in said.pieces if piece.kind != "filler"), "")
    begun = first in ("and", "only", "without", "also", "instead", "correct")
    asks = any(token in phrases().asking for token in said.tokens[:3])
    bare = not said.has(*_NAMES, "period", "function", "worth", "ranked", "happened")  # "worst one?", "in percent"
    return (
        bare or (begun and not asks) or any(piece.kind == "anaphor" and _goes_on(piece, said) for piece in said.pieces)
    )


def points_at_itself(said: Message) -> bool:
    """True for a message that names things and points at these alone: "share of visits that were called off"."""
    pointing = said.of("anaphor")
    led_on = bool(pointing) and all(_is_led_on(piece, said) for piece in pointing)
    return led_on and said.has(*_NAMES) and not any(_goes_on(piece, said) for piece in said.pieces)


def _is_named(said: Message) -> bool:
    """True where a figure is named together with its rows, groups or period."""
    if (
        any(piece.kind in _LEADS and not _is_led_on(piece, said) for piece in said.pieces)
        or points_back(said)
        or said.pieces[0].kind == "by"
        or (said.has("percent") and said.tokens[0] in ("as", "in"))
    ):
        return False
    counts = any(piece.value == "count" for piece in said.of("function"))
    if said.pieces[0].kind == "value" and said.has("by") and _is_flag(said.pieces[0]):
        return True  # "lost colonies per beekeeper": so many are asked for
    subject = any(not _told_by(piece, said) for piece in said.of("noun")) or (
        counts and said.has("column", "value", "period")
    )
    figure = said.has("function", "percent") or any(p.start == 0 for p in said.of("column"))
    whole = figure and said.has("by", "value", "period") and said.has("column", "noun")
    return subject or whole


def points_back(said: Message) -> bool:
    """True for "the rows behind it", "list those"."""
    return bool(said.words("list") & phrases().pointing)


def _told_by(piece: Piece, said: Message) -> bool:
    """True for what follows "by": it says what to tell apart, not what of."""
    before = next((p for p in reversed(said.pieces) if p.end <= piece.start and p.kind != "filler"), None)
    return before is not None and before.kind == "by"


def _is_flag(piece: Piece) -> bool:
    """True for what a column of yes and no says of a row."""
    return all(named.value.strip().casefold() in english().affirmed for named in piece.values)


def _is_asked_anew(said: Message, subject: Subject, scene: Scene) -> bool:
    """True for a whole sentence that asks for a figure of something that was not told: "what did each tutor earn in
    2026" after lessons by town. Of what the answer before shows, it asks within that answer."""
    if not _is_asked(said) or any(_goes_on(piece, said) for piece in said.pieces):
        return False
    names = [piece for piece in said.pieces if piece.kind in _NAMES]
    figures = [piece for piece in names if _is_figure(piece, scene)]
    others = [piece for piece in names if piece not in figures and not _is_verb(piece, said)]
    computed = bool(figures) or said.has("function", "worth", "percent") or _has_verb(said) or _names_figure(said)
    computed = computed or (said.has("by") and any(not _told_by(piece, said) for piece in names))
    told = subject.query if subject.is_told else None
    return computed and bool(others) and (told is None or any(_is_new(piece, told, scene) for piece in names))


def _is_asked(said: Message) -> bool:
    """True for what begins as a question does: "what", "in what zone"."""
    known = phrases()
    led = said.tokens[0] in known.leading and len(said.tokens) > 1
    return said.tokens[1 if led else 0] in known.asking


def _goes_on(piece: Piece, said: Message) -> bool:
    if piece.kind in _GOING_ON:
        return piece.start == 0 or not _is_done(piece, said)
    if piece.kind == "and":
        return piece.start == 0
    return piece.kind == "anaphor" and not _is_relative(piece, said)


def _is_relative(piece: Piece, said: Message) -> bool:
    """True for what is said of what stands before it in the same sentence: "dogs that came", "who skips their
    visits"."""
    before = any(p.end <= piece.start and p.kind in (*_NAMES, "who") for p in said.pieces)
    return piece.kind == "anaphor" and before


def _is_led_on(piece: Piece, said: Message) -> bool:
    """True for "orders that were called off"; "how many orders was that" ends with what it points at."""
    return _is_relative(piece, said) and piece.end < len(said.tokens)


def _has_verb(said: Message) -> bool:
    """True where something is said to be done, not only to be or to have."""
    done = any(_is_done(piece, said) for piece in said.pieces if piece.kind in ("filler", *_GOING_ON))
    return done or any(_holds_verb(piece, said) for piece in said.of("column"))


def _is_verb(piece: Piece, said: Message) -> bool:
    """True for what is no name at all: "who sells the most" is not about salespersons."""
    return piece.kind == "column" and piece.end == piece.start + 1 and _holds_verb(piece, said)


def _holds_verb(piece: Piece, said: Message) -> bool:
    """True for words taken for a column that say what is done: "which client pays", "which breed is groomed"."""
    named = {word for _, column in piece.columns[:1] for word in folded(column.replace("_", " ")).split()}
    for n in range(max(piece.start, 1), piece.end):
        word, before = said.tokens[n], said.tokens[n - 1]
        subject = n > piece.start or any(p.end == n and p.kind in (*_NAMES, "who") for p in said.pieces)
        passive = before in phrases().being and word.endswith("ed")
        if singular(word) not in named and (subject or passive):
            return True
    return False


def _names_figure(said: Message) -> bool:
    """True for an end that says of what: "the cheapest" and "most often", not "the highest"."""
    of_something = any(piece.columns for piece in said.pieces if piece.kind in ENDS)
    return of_something or bool(said.words(*ENDS) & phrases().often)


def _is_done(piece: Piece, said: Message) -> bool:
    """True for "take" and "bring in", which are no more than beginnings where nobody is said to do so."""
    return any(word in phrases().doing for word in said.tokens[piece.start : piece.end])


def _is_figure(piece: Piece, scene: Scene) -> bool:
    return bool(piece.columns) and scene.is_figure(_first(piece))


def _is_new(piece: Piece, query: Query, scene: Scene) -> bool:
    """True for what the plan before does not speak of."""
    used = {(ref.table, ref.column) for ref in references(query)}
    if piece.kind == "noun":
        name = scene.name_column(piece.value)
        return piece.value != query.source and (piece.value, name) not in used
    columns = piece.columns[:1] or tuple((named.table, named.column) for named in piece.values)
    return not used & set(columns)
