"""Names of columns and tables as words: split, and spelled out as their neighbours suggest.

What the words mean is not decided here; which words and units there are stands in `knowledge`.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain, pairwise

from apps.analyst.knowledge.folding import folded, singular
from apps.analyst.knowledge.loader import knowledge

LONGEST_NAME = 200
"""Longer names are cut: a header that long is a sentence, and its beginning says what it is about."""
_CURRENCIES = re.compile(r"[$€£¥₹]")
_BRACKETED = re.compile(r"\(([^()]*)\)|\[([^\[\]]*)\]")
_PLURAL = re.compile(r"(?<=\w)\((?:e?s|n|en)\)")
_CUSTOM = re.compile(r"^(?:\w+?__)?(\w+?)__(?:c|r|pc|pr)$", re.IGNORECASE)
_SIGNS = (
    (re.compile(r"#(?=\s*\d)"), " "),
    (re.compile(r"#"), " number "),
    (re.compile(r"%"), " percent "),
    (re.compile(r"&"), " and "),
)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_INITIALS = re.compile(r"(?<=[A-Z])s(?=$|[\s_A-Z])")
_SOLE_LETTER = re.compile(r"(?<![^\W_])([ei])([A-Z])(?=[a-z])")
_TOKEN = re.compile(
    r"[a-z]{1,2}\d+(?![^\W_])|\d+(?:st|nd|rd|th)(?![^\W_])|\d+(?:[.,]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)?", re.IGNORECASE
)
_LETTERED = re.compile(r"[^\W_]+")

_SHORTEST_PIECE = 3
_SHORTEST_GLUED = 5
_LONGEST_GLUED = 40
_ENDINGS = frozenset(("id", "no", "nm", "dt", "cd", "yr", "tm", "ty", "by"))
"""Pieces of two letters that end glued names: `custno`, `hiredt`, `prodcd`."""
_BEGINNINGS = frozenset(("po", "hr", "is", "no"))
_WORD_COST, _SHORT_WORD_COST, _SHORTENED_COST, _PAIR_COST = 1.0, 1.4, 1.5, 1.6
_MOST_PIECES_COST = 5.0

_RANK_COST = 1.0
_SPOKEN_LENGTH = 4
"""A word of so many letters that is said in full elsewhere ("term", "long") stands for itself before anything else."""
_BESIDE, _TOGETHER, _DOMAIN, _USUAL = 1.8, 1.8, 1.5, 3.0
_SURE_BY = 0.5
"""By so much a meaning must be likelier than the next before people are told it."""
_STATISTICS = frozenset(("avg", "average", "mean", "max", "maximum", "min", "minimum", "med", "median"))
_OFTEN = 3
"""Names of a table that must have a token before the table has a usual meaning for it."""


@lru_cache(maxsize=16384)
def words_of(name: str) -> tuple[str, ...]:
    """The words and shortened words of a name, lower case, as they stand: `Hire_Date__c` is "hire", "date"."""
    said = _without_unit(name[:LONGEST_NAME].strip())
    custom = _CUSTOM.match(said)
    if custom:
        said = custom[1]
    for sign, word in _SIGNS:
        said = sign.sub(word, said)
    said = _SOLE_LETTER.sub(lambda letters: letters[1] + letters[2].lower(), said)
    found: list[str] = []
    for part in _LETTERED.findall(said.replace("’", "'").replace("'", "")):
        found.extend(_parted(part))
    return tuple(found)


@lru_cache(maxsize=16384)
def unit_of(name: str) -> str | None:
    """The unit that a name states: "kg" of `Weight (kg)` and of `weight_kg`."""
    said = _PLURAL.sub("", name[:LONGEST_NAME])
    for bracketed in _BRACKETED.finditer(said):
        inner = " ".join((bracketed[1] or bracketed[2] or "").lower().split())
        if inner in knowledge().units.bracketed:
            return inner
    currency = _CURRENCIES.search(said)
    if currency:
        return str(currency[0])
    tokens = _LETTERED.findall(_CAMEL.sub(" ", said).lower().replace("_", " "))
    if len(tokens) > 1 and tokens[-1] in knowledge().units.ending:
        return str(tokens[-1])
    return "%" if "%" in said else None


def expanded(name: str, neighbours: Sequence[str] = ()) -> tuple[str, ...]:
    """The words of a name, spelled out. Neighbours are the names of the table and of its other columns: they choose
    between expansions (`STR_NM` is a store's name beside `SKU`, a street's beside `ZIP`)."""
    return _expanded(name, tuple(neighbours))


def shown(name: str, said: Sequence[str], neighbours: Sequence[str]) -> str:
    """The words of a name, as `said` spells them out, for people to read: what is shortened and may as well stand for
    something else stays as it is written (`dep_amt` is no department's amount where nothing speaks of one)."""
    tokens = words_of(name)
    beside, domains = _around(tuple(neighbours))
    usual = _usual(tuple(neighbours))
    chosen = _chosen(tokens, beside, domains, usual)
    if " ".join(chosen).split() != list(said):
        return " ".join(said)
    whole = _cost(tokens, beside, domains, usual)
    told = list(chosen)
    for place, (token, choice) in enumerate(zip(tokens, chosen, strict=True)):
        others = [other for other in _choices(token) if other not in (choice, token)]
        if choice == token or not others:
            continue
        near = _cost(tokens, beside, domains, usual, (place, frozenset(others)))
        told[place] = token if near - whole < _SURE_BY or _is_bare_unit(tokens, place) else choice
    return " ".join(told)


def _is_bare_unit(tokens: Sequence[str], place: int) -> bool:
    """Whether a shortened unit stands for the thing itself behind a statistic: nothing says what "avg_hr" is of, so
    that it may as well be no unit."""
    others = [token for n, token in enumerate(tokens) if n != place]
    return tokens[place] in knowledge().units.bracketed and bool(others) and _STATISTICS.issuperset(others)


def label(name: str, neighbours: Sequence[str] = ()) -> str:
    """A name as people read it: `STR_NM` is "store name"."""
    return " ".join(expanded(name, neighbours)) or name[:LONGEST_NAME].strip().lower()


def trades(neighbours: Sequence[str]) -> Mapping[str, float]:
    """The trades that the names of a table and of its columns speak of, as shares of 1."""
    return _around(tuple(neighbours))[1]


def _without_unit(name: str) -> str:
    said = _PLURAL.sub("", name)
    said = _BRACKETED.sub(
        lambda inner: " " if _is_unit(inner[1] or inner[2] or "") else f" {inner[1] or inner[2] or ''} ", said
    )
    return _CURRENCIES.sub(" ", said)


def _is_unit(text: str) -> bool:
    return " ".join(text.lower().split()) in knowledge().units.bracketed


def _parted(part: str) -> list[str]:
    """A run of letters and digits, split at changes of case and kind, and where words are glued."""
    if part.lower() in knowledge().abbreviations or part.lower() in knowledge().units.bracketed:
        return [part.lower()]
    found: list[str] = []
    for piece in _CAMEL.sub(" ", _INITIALS.sub("S", part) if _INITIALS.search(part) else part).split():
        lower = piece.lower()
        if lower in knowledge().abbreviations:
            found.append(lower)
            continue
        for token in _TOKEN.findall(lower):
            found.extend(_unglued(token))
    return found


@lru_cache(maxsize=16384)
def _unglued(token: str) -> tuple[str, ...]:
    """Words that are written as one, apart: `hiredate` is "hire", "date". A word that is one stays one."""
    if not _SHORTEST_GLUED <= len(token) <= _LONGEST_GLUED or not token.isalpha() or _is_known(token):
        return (token,)
    size = len(token)
    best: list[tuple[float, int]] = [(0.0, 0)] + [(float("inf"), 0)] * size
    for end in range(2, size + 1):
        for start in range(max(0, end - _longest_word()), end - 1):
            cost = best[start][0] + _piece_cost(token[start:end], start == 0, end == size)
            if cost < best[end][0]:
                best[end] = (cost, start)
    if best[size][0] > _MOST_PIECES_COST or _is_english(token):
        return (token,)
    pieces: list[str] = []
    end = size
    while end:
        start = best[end][1]
        pieces.append(token[start:end])
        end = start
    return tuple(reversed(pieces))


def _piece_cost(piece: str, first: bool, last: bool) -> float:
    if len(piece) < _SHORTEST_PIECE:
        ok = (last and piece in _ENDINGS) or (first and piece in _BEGINNINGS)
        return _PAIR_COST if ok else float("inf")
    if piece in knowledge().vocabulary:
        return _WORD_COST if len(piece) > _SHORTEST_PIECE else _SHORT_WORD_COST
    return _SHORTENED_COST if piece in knowledge().abbreviations else float("inf")


def _is_known(token: str) -> bool:
    known = knowledge()
    return token in known.vocabulary or token in known.abbreviations or singular(token) in known.vocabulary


@lru_cache(maxsize=4096)
def _is_english(token: str) -> bool:
    # Imported here: the dictionary takes a moment to load, and few names hold words that are not known.
    from lemminflect import getAllLemmas

    return bool(getAllLemmas(token))


@cache
def _longest_word() -> int:
    known = knowledge()
    return min(max(map(len, (*known.vocabulary, *known.abbreviations))), 18)


@lru_cache(maxsize=16384)
def _expanded(name: str, neighbours: tuple[str, ...]) -> tuple[str, ...]:
    beside, domains = _around(neighbours)
    return tuple(" ".join(_chosen(words_of(name), beside, domains, _usual(neighbours))).split())


def _chosen(
    tokens: Sequence[str], beside: Mapping[str, int], domains: Mapping[str, float], usual: Mapping[str, str]
) -> tuple[str, ...]:
    """What each of the tokens stands for: the cheapest chain of choices, from left to right. What stands together in
    names that are known is cheaper together."""
    if not any(knowledge().expansions(token) for token in tokens):
        return tuple(tokens)
    return _cheapest(tokens, beside, domains, usual)[1]


def _cost(
    tokens: Sequence[str],
    beside: Mapping[str, int],
    domains: Mapping[str, float],
    usual: Mapping[str, str],
    only: tuple[int, frozenset[str]] | None = None,
) -> float:
    return _cheapest(tokens, beside, domains, usual, only)[0]


def _cheapest(
    tokens: Sequence[str],
    beside: Mapping[str, int],
    domains: Mapping[str, float],
    usual: Mapping[str, str],
    only: tuple[int, frozenset[str]] | None = None,
) -> tuple[float, tuple[str, ...]]:
    """The cheapest chain with its cost; `only` says what the token at one place may stand for."""
    chains: dict[str, tuple[float, tuple[str, ...]]] = {"": (0.0, ())}
    for place, token in enumerate(tokens):
        longer: dict[str, tuple[float, tuple[str, ...]]] = {}
        for rank, choice in enumerate(_choices(token)):
            if only is not None and only[0] == place and choice not in only[1]:
                continue
            own = rank * _RANK_COST - _fit(choice, beside, domains) - (_USUAL if usual.get(token) == choice else 0.0)
            for before, (cost, chosen) in chains.items():
                total = cost + own - (_TOGETHER if _stand_together(before, choice) else 0.0)
                if choice not in longer or total < longer[choice][0]:
                    longer[choice] = (total, (*chosen, choice))
        chains = longer
    return min(chains.values(), key=lambda chain: chain[0])


@lru_cache(maxsize=512)
def _usual(neighbours: tuple[str, ...]) -> Mapping[str, str]:
    """What tokens mostly stand for in the names of a table: `prd` is one word in `prd_id` and `prd_start_dt`."""
    beside, domains = _around(neighbours)
    votes: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for name in neighbours:
        tokens = words_of(name)
        for token, choice in zip(tokens, _chosen(tokens, beside, domains, {}), strict=True):
            if choice != token:
                votes[token][choice] += 1
    return {token: choices.most_common(1)[0][0] for token, choices in votes.items() if choices.total() >= _OFTEN}


@lru_cache(maxsize=16384)
def _choices(token: str) -> tuple[str, ...]:
    """What a token may stand for, likeliest first."""
    full = knowledge().expansions(token)
    if not full:
        return (token,)
    if token in knowledge().spoken and len(token) >= _SPOKEN_LENGTH:
        return (token, *full)
    return (*full, token) if token in knowledge().vocabulary else full


def _fit(choice: str, beside: Mapping[str, int], domains: Mapping[str, float]) -> float:
    """How much the neighbours speak for a choice: by its words, and by the trade that they belong to."""
    words = folded(choice).split()
    said = _BESIDE if any(word in beside for word in words) else 0.0
    if not domains:
        return said
    trades = [_domains_of(word) for word in words]
    return said + _DOMAIN * max(
        (sum(domains.get(domain, 0.0) * share for domain, share in of.items()) for of in trades), default=0.0
    )


@lru_cache(maxsize=512)
def _around(neighbours: tuple[str, ...]) -> tuple[Mapping[str, int], Mapping[str, float]]:
    """The words of the neighbours that leave no choice, and the share of each trade in them."""
    words: Counter[str] = Counter()
    for name in neighbours:
        for token in words_of(name):
            choices = _choices(token)
            if len(choices) == 1:
                words.update(folded(choices[0]).split())
    domains: defaultdict[str, float] = defaultdict(float)
    for word in words:
        of = _domains_of(word)
        for domain, share in of.items():
            domains[domain] += share / len(of)
    whole = sum(domains.values())
    return words, {domain: share / whole for domain, share in domains.items()} if whole else {}


@lru_cache(maxsize=16384)
def _domains_of(word: str) -> Mapping[str, float]:
    """The trades in whose names a word stands, as shares of 1."""
    return _domains_by_word().get(word, {})


@cache
def _domains_by_word() -> Mapping[str, Mapping[str, float]]:
    known = knowledge()
    domains = [concept.domain for concept in known.concepts.values()]
    found: defaultdict[str, set[str]] = defaultdict(set)
    for name, concept in zip(known.index.names, known.index.named, strict=True):
        for word in name.split():
            found[word].add(domains[concept])
    return {word: dict.fromkeys(domains, 1 / len(domains)) for word, domains in found.items()}


@cache
def _pairs() -> frozenset[tuple[str, str]]:
    """Words that stand next to each other in the names that columns and flags have."""
    index = knowledge().index
    return frozenset(pair for name in chain(index.said, index.flags) for pair in pairwise(name.split()))


@lru_cache(maxsize=16384)
def _stand_together(before: str, choice: str) -> bool:
    left, right = folded(before).split(), folded(choice).split()
    return bool(left and right) and (left[-1], right[0]) in _pairs()
