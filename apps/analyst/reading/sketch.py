"""The reader's own tree: what a question asks for, before tables are joined and columns named.

A sketch is a nested tuple: a production's name, then its parts. Leaves point into the catalog and the question:
("T", table), ("C", table, column), ("W", table, column, value), ("N", number), ("D", start, end). `GRAMMAR` holds every
production with the kinds of its parts; all a question can mean here is what the grammar can derive.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Sketch = tuple[Any, ...]
NOTHING: Sketch = ("any",)


def walk(node: Sketch, without: tuple[str, ...] = ()) -> Iterator[Sketch]:
    """All nodes from the top; those of a kind in `without`, and what is under them, are left out."""
    waiting = [node]
    while waiting:
        item = waiting.pop()
        if item[0] in without:
            continue
        yield item
        waiting += [child for child in reversed(item) if type(child) is tuple]


def unrolled(node: Sketch, kind: str) -> Iterator[Sketch]:
    """The conditions that "and" or "or" joins, also within each other."""
    if node[0] != kind:
        yield node
        return
    for part in node[1:]:
        yield from unrolled(part, kind)


def in_any_order(node: Sketch) -> Sketch:
    """The sketch with what "and" and "or" join, and the values of a list, in one order of all that mean the same."""
    if node[0] in ("and", "or"):
        return (node[0], *sorted((in_any_order(part) for part in unrolled(node, node[0])), key=repr))
    if node[0].rstrip("23456") in ("in", "notin"):
        return (node[0], *sorted(node[1:], key=repr))
    return (node[0], *(in_any_order(part) if isinstance(part, tuple) else part for part in node[1:]))


def listed(part: Sketch) -> tuple[Sketch, ...]:
    """The stored values of which any will do where `part` is such a condition ("in2"); none of all else."""
    return part[1:] if part[0][:2] == "in" and part[0][2:].isdecimal() else ()


MOST_VALUES, MOST_KEYS, MOST_FIGURES = 5, 3, 4
"""Of a list, of groups and of their figures that one sketch may have."""


# ---------------------------------------------------------------- the grammar
# Kinds: Q question, VS values listed, KS keys, MS figures, M figure, V value of a row, K key, P condition, S
# members, H condition on # groups, L which of them, Y way, B by what, U how many, F figure over groups, A unit of
# time, O part of a date, X
# its number. T, C, W, N, D are leaves.
GRAMMAR: dict[str, tuple[str, ...]] = {
    "rows": ("Q", "VS", "P", "L"),
    "things": ("Q", "VS", "P", "L"),
    "agg": ("Q", "MS", "P"),
    "group": ("Q", "KS", "MS", "P", "H", "L"),
    "over_count": ("Q", "KS", "P", "H"),
    "over": ("Q", "F", "KS", "M", "P", "H"),
    **{f"v{n}": ("VS", *["K"] * n) for n in range(1, MOST_VALUES + 1)},
    **{f"k{n}": ("KS", *["K"] * n) for n in range(1, MOST_KEYS + 1)},
    **{f"m{n}": ("MS", *["M"] * n) for n in range(MOST_FIGURES + 1)},
    "count": ("M", "T"),
    "countd": ("M", "K"),
    **dict.fromkeys(("sum", "avg", "min", "max", "median"), ("M", "V")),
    "given": ("M", "M", "P"),
    "rate": ("M", "T", "P"),
    **dict.fromkeys(("share", "running", "previous"), ("M", "M")),
    **dict.fromkeys(("pct", "growth", "ratio", "minus", "plus", "times"), ("M", "M", "M")),
    "one": ("M",),
    "whole": ("M", "M", "P"),
    "span": ("V", "A", "C", "C"),
    "age": ("V", "A", "C"),
    "ahead": ("V", "C"),
    **dict.fromkeys(("vadd", "vsub", "vmul", "vdiv", "vpct"), ("V", "V", "V")),
    **dict.fromkeys(
        ("hour", "day", "week", "month", "quarter", "year", "monthof", "quarterof", "weekday", "hourof"), ("K", "C")
    ),
    "any": ("P",),
    "and": ("P", "P", "P"),
    "or": ("P", "P", "P"),
    **dict.fromkeys(("is", "isnt", "has", "hasnt"), ("P", "W")),
    **{f"in{n}": ("P", *["W"] * n) for n in range(2, 7)},
    **{f"notin{n}": ("P", *["W"] * n) for n in range(2, 5)},
    **dict.fromkeys(("gt", "ge", "lt", "le", "eq", "ne"), ("P", "V", "N")),
    **dict.fromkeys(("vgt", "vge", "vlt", "vle", "veq", "vne"), ("P", "V", "V")),
    "between": ("P", "V", "N", "N"),
    "missing": ("P", "C"),
    "filled": ("P", "C"),
    **dict.fromkeys(("on", "since", "after", "before", "until"), ("P", "C", "D")),
    "from_to": ("P", "C", "D", "D"),
    "between_starts": ("P", "C", "D", "D"),
    "before_now": ("P", "C"),
    "from_now": ("P", "C"),
    "years2": ("P", "C", "D", "D"),
    "years3": ("P", "C", "D", "D", "D"),
    "weekend": ("P", "C"),
    "partis": ("P", "O", "C", "X"),
    **{f"hour{op}": ("P", "C", "N") for op in ("gt", "ge", "lt", "le", "eq")},
    "member": ("P", "C", "S"),
    "nonmember": ("P", "C", "S"),
    "extreme": ("P", "F", "C", "P"),
    **{f"avg{op}": ("P", "V", "P") for op in ("gt", "ge", "lt", "le")},
    "sub": ("S", "C", "P", "H"),
    "nohaving": ("H",),
    "hand": ("H", "H", "H"),
    **{f"h{op}": ("H", "M", "N") for op in ("gt", "ge", "lt", "le", "eq", "ne")},
    **{f"hm{op}": ("H", "M", "M") for op in ("gt", "ge", "lt", "le", "eq", "ne")},
    **{f"havg{op}": ("H", "M") for op in ("gt", "ge", "lt", "le")},
    **{f"hall{op}": ("H", "M") for op in ("gt", "ge", "lt", "le")},
    "all": ("L",),
    "first": ("L", "Y", "B", "U"),
    "per": ("L", "Y", "B", "U"),
    "asc": ("Y",),
    "desc": ("Y",),
    "by1": ("B",),
    "bym": ("B", "M"),
    "byv": ("B", "K"),
    "top": ("U", "N"),
    "onlyone": ("U",),
    **{f"fn_{name}": ("F",) for name in ("avg", "max", "min", "median", "sum")},
    **{f"in_{name}": ("A",) for name in ("days", "months", "years")},
    **{f"part_{name}": ("O",) for name in ("monthof", "quarterof", "weekday", "hourof")},
    **{f"x{n}": ("X",) for n in range(24)},
    **{f"n{n}": ("N",) for n in (0, 1, 2, 3, 5, 10)},
    **{f"in_{name}": ("A",) for name in ("hours", "minutes")},
    "scaled": ("M", "M", "N"),
    **{f"n{n}": ("N",) for n in (4, 6, 7, 30, 50, 60, 90, 100)},
    "over_rate": ("Q", "KS", "P", "H"),
    "top_share": ("Q", "KS", "M", "P", "U"),
}
"""Every production: the kind it makes, then the kinds of its parts."""
PRODUCTIONS = tuple(GRAMMAR)
NUMBER = {name: place for place, name in enumerate(PRODUCTIONS)}
KINDS = tuple(dict.fromkeys(kind for parts in GRAMMAR.values() for kind in parts))
LEAVES = "TCWND"
MAKES: dict[str, tuple[str, ...]] = {
    kind: tuple(name for name in PRODUCTIONS if GRAMMAR[name][0] == kind or (kind == "K" and GRAMMAR[name][0] == "V"))
    for kind in KINDS
}
"""The productions that may stand where a kind is wanted; a key may be a value."""
POINTED: dict[str, str] = {**dict.fromkeys(KINDS, ""), "K": "C", "V": "C", **{leaf: leaf for leaf in LEAVES}}
"""The kind of leaf that may stand where a kind is wanted."""
MOST_ACTIONS = 60
