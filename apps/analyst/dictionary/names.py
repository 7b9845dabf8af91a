"""Names of columns and tables as words, spelled out as their neighbours suggest.

What the words mean is not decided here; which words and units there are stands in `knowledge`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from itertools import chain, pairwise

from apps.analyst.dictionary.counterparts import answered
from apps.analyst.dictionary.guessing import guesses
from apps.analyst.dictionary.splitting import LONGEST_NAME, unit_of, words_of
from apps.analyst.dictionary.words import words
from apps.analyst.knowledge.folding import folded, singular
from apps.analyst.knowledge.loader import knowledge

__all__ = ["LONGEST_NAME", "alternatives", "expanded", "label", "shown", "trades", "unit_of", "words_of"]

_RANK_COST, _GUESSED, _NEXT, _UNSAID = 1.0, 1.5, 0.25, 0.1
_SPOKEN_LENGTH = 4
"""A word of so many letters that is said in full elsewhere ("term", "long") stands for itself before anything else."""
_BESIDE, _TOGETHER, _DOMAIN, _USUAL, _ANSWERED, _AT_HOME = 1.8, 1.8, 1.5, 3.0, 3.5, 2.0
_HOME, _EVERYWHERE = 0.1, 0.5
"""By so much a name must be commoner in the trades of a table than half as common as in all to be at home there."""
_SURE_BY = 0.5
"""By so much a meaning must be likelier than the next before people are told it."""
_STATISTICS = frozenset(("avg", "average", "mean", "max", "maximum", "min", "minimum", "med", "median"))
_OFTEN = 3
"""Names of a table that must have a token before the table has a usual meaning for it."""


@dataclass(frozen=True, slots=True)
class _Near:
    """What stands around a name, by which its shortened words are spelled out."""

    words: Mapping[str, int]
    """The words of the neighbours that leave no choice."""
    domains: Mapping[str, float]
    """The share of each trade in them."""
    names: tuple[tuple[str, ...], ...] = ()
    """The neighbours as words."""
    usual: Mapping[str, str] = field(default_factory=dict)
    """What tokens mostly stand for in the neighbours."""
    fits: dict[str, float] = field(default_factory=dict)
    """How much the neighbours speak for each choice, as far as it was asked for."""


def expanded(name: str, neighbours: Sequence[str] = ()) -> tuple[str, ...]:
    """The words of a name, spelled out. Neighbours are the names of the table and of its other columns: they choose
    between expansions (`STR_NM` is a store's name beside `SKU`, a street's beside `ZIP`)."""
    return _expanded(name, tuple(neighbours))


def shown(name: str, said: Sequence[str], neighbours: Sequence[str]) -> str:
    """The words of a name, as `said` spells them out, for people to read: what is shortened and may as well stand for
    something else stays as it is written (`dep_amt` is no department's amount where nothing speaks of one), and a word
    that a mark and a name spell out alike is said once ("sales" of `sls_sales`, "surname" of `sur_nm`)."""
    told = _spelled(name, said, neighbours).split(" ")
    pairs = zip(("", *told), told, strict=False)
    return " ".join(word for before, word in pairs if word != before and not _is_said_by(before, word))


def _is_said_by(before: str, word: str) -> bool:
    """Whether a word stands at the end of the one before it: a surname is a name."""
    return len(word) >= _SPOKEN_LENGTH and before.endswith(word)


def _spelled(name: str, said: Sequence[str], neighbours: Sequence[str]) -> str:
    tokens = words_of(name)
    near = _near(tuple(neighbours))
    chosen = _chosen(tokens, near)
    if " ".join(chosen).split() != list(said):
        return " ".join(said)
    told, whole = list(chosen), None
    for place, (token, choice) in enumerate(zip(tokens, chosen, strict=True)):
        known = _known(token)
        others = [one for one in known if (one != token or choice not in known) and not _alike(one, choice)]
        if choice == token or not others:
            continue
        whole = _cheapest(tokens, near)[0] if whole is None else whole
        next_best = _cheapest(tokens, near, (place, frozenset(others)))[0]
        told[place] = token if next_best - whole < _SURE_BY or _is_bare_unit(tokens, place) else choice
    return " ".join(told)


def _alike(one: str, other: str) -> bool:
    """Whether two readings are of the same event: "cancelled" and "cancellation"."""
    events = words().events
    return events.get(one, one) == events.get(other, other)


def _is_bare_unit(tokens: Sequence[str], place: int) -> bool:
    """Whether a shortened unit stands for the thing itself behind a statistic: nothing says what "avg_hr" is of, so
    that it may as well be no unit."""
    others = [token for n, token in enumerate(tokens) if n != place]
    return tokens[place] in knowledge().units.bracketed and bool(others) and _STATISTICS.issuperset(others)


def label(name: str, neighbours: Sequence[str] = ()) -> str:
    """A name as people read it: `STR_NM` is "store name"."""
    return " ".join(expanded(name, neighbours)) or name[:LONGEST_NAME].strip().lower()


def alternatives(token: str) -> tuple[str, ...]:
    """What a shortened word may stand for, likeliest first; what is guessed only where nothing is known."""
    known = knowledge().expansions(token)
    return known or tuple(choice for choice, _ in _choices(token, named=True) if choice != token)


def trades(neighbours: Sequence[str]) -> Mapping[str, float]:
    """The trades that the names of a table and of its columns speak of, as shares of 1."""
    return _around(tuple(neighbours)).domains


@lru_cache(maxsize=32768)
def _expanded(name: str, neighbours: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(" ".join(_chosen(words_of(name), _near(neighbours))).split())


def _chosen(tokens: Sequence[str], near: _Near) -> tuple[str, ...]:
    """What each of the tokens stands for: the cheapest chain of choices, from left to right. What stands together in
    names that are known is cheaper together."""
    named = bool(near.names)
    if all(_stands(token, named) for token in tokens):
        return tuple(tokens)
    return _cheapest(tokens, near)[1]


@lru_cache(maxsize=16384)
def _stands(token: str, named: bool) -> bool:
    """Whether a token can only stand for itself."""
    return len(_choices(token, named=named)) == 1 and _known(token) == (token,)


def _cheapest(
    tokens: Sequence[str], near: _Near, only: tuple[int, frozenset[str]] | None = None
) -> tuple[float, tuple[str, ...]]:
    """The cheapest chain with its cost; `only` says what the token at one place may stand for."""
    chains: dict[str, tuple[float, tuple[str, ...]]] = {"": (0.0, ())}
    fitting = answered(tokens, near.names[1:], _known)
    for place, token in enumerate(tokens):
        longer: dict[str, tuple[float, tuple[str, ...]]] = {}
        for choice, price in _choices(token, named=bool(near.names)):
            if only is not None and only[0] == place and choice not in only[1]:
                continue
            own = price - _fit(choice, near) - (_USUAL if near.usual.get(token) == choice else 0.0)
            own -= _ANSWERED if (place, choice) in fitting else 0.0
            for before, (cost, chosen) in chains.items():
                total = cost + own - _together(before, choice, near, full=choice != token)
                if choice not in longer or total < longer[choice][0]:
                    longer[choice] = (total, (*chosen, choice))
        chains = longer
    return min(chains.values(), key=lambda chain: chain[0])


@lru_cache(maxsize=512)
def _near(neighbours: tuple[str, ...]) -> _Near:
    """What stands around a name. What a token mostly stands for counts too: `prd` is one word in `prd_id` and
    `prd_start_dt`."""
    near = _around(neighbours)
    votes: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for tokens in near.names:
        for token, choice in zip(tokens, _chosen(tokens, near), strict=True):
            if choice != token:
                votes[token][choice] += 1
    usual = {token: choices.most_common(1)[0][0] for token, choices in votes.items() if choices.total() >= _OFTEN}
    return replace(near, usual=usual)


@lru_cache(maxsize=16384)
def _choices(token: str, *, named: bool) -> tuple[tuple[str, float], ...]:
    """What a token may stand for, with what each costs: what is known in its order, then what may be guessed. Of a
    token that says nothing as it stands the likeliest guess is taken unless something speaks for another. Nothing is
    guessed where it is not `named` beside others: then it may be a value."""
    known = _known(token)
    listed = [(choice, rank * _RANK_COST) for rank, choice in enumerate(known)]
    if not named or token in knowledge().vocabulary:
        return tuple(listed)
    guessed = [(word, sure) for word, sure in guesses(token) if not any(_alike(word, one) for one in known)]
    if known != (token,):
        return (*listed, *((word, _GUESSED + rank * _NEXT) for rank, (word, _) in enumerate(guessed)))
    costs = ((word, rank * _NEXT + (0.0 if sure else _GUESSED)) for rank, (word, sure) in enumerate(guessed))
    return ((token, _UNSAID), *costs)


@lru_cache(maxsize=16384)
def _known(token: str) -> tuple[str, ...]:
    """What a token is known to stand for, likeliest first; itself where nothing is."""
    full = knowledge().expansions(token)
    if not full:
        return (token,)
    if token in knowledge().spoken and len(token) >= _SPOKEN_LENGTH and not _is_cut_off(token, full):
        return (token, *full)
    return (*full, token) if token in knowledge().vocabulary else full


def _is_cut_off(token: str, full: Sequence[str]) -> bool:
    """Whether a token is the beginning of what it stands for, and a word by itself for a state alone: "stat" is said of
    urgent samples, and heads columns of a status."""
    if len(full) > 1 or len(token) > _SPOKEN_LENGTH or singular(token) != token:
        return False
    if " " in full[0] or not full[0].startswith(token):
        return False
    said = chain.from_iterable((concept.label, *concept.words) for concept in knowledge().concepts.values())
    return not any(token in phrase.split() for phrase in chain(said, knowledge().index.verbs))


def _fit(choice: str, near: _Near) -> float:
    """How much the neighbours speak for a choice: by its words, and by the trade that they belong to."""
    found = near.fits.get(choice)
    if found is None:
        found = near.fits[choice] = _fitting(choice, near)
    return found


def _fitting(choice: str, near: _Near) -> float:
    words = folded(choice).split()
    said = _BESIDE if any(word in near.words for word in words) else 0.0
    if not near.domains:
        return said
    trades = [_domains_of(word) for word in words]
    return said + _DOMAIN * max(
        (sum(near.domains.get(domain, 0.0) * share for domain, share in of.items()) for of in trades), default=0.0
    )


@lru_cache(maxsize=512)
def _around(neighbours: tuple[str, ...]) -> _Near:
    """The neighbours as words, and what those say that leave no choice."""
    names = tuple(words_of(name) for name in neighbours)
    words: Counter[str] = Counter()
    for token, count in Counter(chain.from_iterable(names)).items():
        choices = _known(token)
        if len(choices) == 1 and (choices[0] != token or token in knowledge().vocabulary):
            for word in folded(choices[0]).split():
                words[word] += count
    domains: defaultdict[str, float] = defaultdict(float)
    for word in words:
        of = _domains_of(word)
        for domain, share in of.items():
            domains[domain] += share / len(of)
    whole = sum(domains.values())
    return _Near(words, {domain: share / whole for domain, share in domains.items()} if whole else {}, names)


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


def _together(before: str, choice: str, near: _Near, *, full: bool) -> float:
    """How much two readings speak for each other: they stand next to each other in names that are known, and most of
    all in the names of the table's own trades (a ticket has a closed date, a course a class date). `full`: the second
    is spelled out."""
    trades = _trades_of_pair(before, choice)
    if trades is None:
        return 0.0
    if not full or knowledge().expansions(before):
        return _TOGETHER
    known = sum(near.domains.get(trade, 0.0) for trade in trades) - _EVERYWHERE * len(trades) / len(_trades())
    return _TOGETHER + _AT_HOME * min(1.0, max(0.0, known) / _HOME)


@cache
def _trades() -> frozenset[str]:
    return frozenset(concept.domain for concept in knowledge().concepts.values())


@lru_cache(maxsize=16384)
def _trades_of_pair(before: str, choice: str) -> frozenset[str] | None:
    """The trades in whose names two readings stand next to each other; None where they do in no name."""
    left, right = folded(before).split(), folded(choice).split()
    return _pairs().get((left[-1], right[0])) if left and right else None


@cache
def _pairs() -> Mapping[tuple[str, str], frozenset[str]]:
    """Words that stand next to each other in the names that columns and flags have, with the trades of these."""
    known = knowledge()
    domains = [concept.domain for concept in known.concepts.values()]
    found: dict[tuple[str, str], set[str]] = {
        pair: set() for name in chain(known.index.said, known.index.flags) for pair in pairwise(name.split())
    }
    for name, concept in zip(known.index.names, known.index.named, strict=True):
        for pair in pairwise(name.split()):
            if pair in found:
                found[pair].add(domains[concept])
    return {pair: frozenset(trades) for pair, trades in found.items()}
