"""How files are named: the upload rules, the clean-up, the three groups, the names people see.

Pure functions over text. Nothing here may read files, settings or the database. SPEC sections 3 and 5, PRODUCT "Data".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from apps.analyst.tables.reserved import is_engine_name

Group = Literal["uploaded", "spreadsheet", "crm"]

CRM_PREFIX = "hubspot_"
SHEETS_PREFIX = "googlesheets_"
TAB_MARKER = "__tab__"
PREFIXES: dict[Group, str] = {"crm": CRM_PREFIX, "spreadsheet": SHEETS_PREFIX}
UPLOAD_EXTENSIONS = ("csv", "xlsx")
MAX_NAME_LENGTH = 200
"""Characters a file name may have; the stored name of a workbook's sheet may be longer by a sheet name (31)."""

_NOT_KEPT = re.compile(r"[^\w.\s:-]")
_WORD = re.compile(r"[^\W_]+")
_SPACE = re.compile(r"\s")
_BIDI_CONTROLS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_PATH_LOOKALIKES = frozenset("\u2044\u2215\u29f8\u29f9\u2571\u2572\u2024\u2025\u2236\ufe68")
_PATH_MARKS = frozenset("./\\:")
_GREEK_LIKE_LATIN = frozenset("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧοινρτυκ")
_LIKE_LATIN = ("CYRILLIC", "CHEROKEE", "ARMENIAN", "COPTIC", "LISU", "DESERET", "OLD ITALIC", "LYCIAN", "CARIAN")
"""Alphabets of which many letters look like Latin ones, but for Greek, whose others name things in Latin texts too."""
_LATIN_FORM = re.compile(
    r"LATIN (?:SMALL LETTER|CAPITAL LETTER|LETTER SMALL CAPITAL)(?: [A-Z]{2,})* ([A-Z])(?: WITH .*)?"
)
_DRAWN_ALIKE = str.maketrans("01|i", "olll")
"""Of the letters and digits of the prefixes, the ones that others are written for."""
_UNSEEN = frozenset(("Cf", "Cc", "Mn", "Me", "Cn"))


@dataclass(frozen=True, slots=True)
class NameRefused(Exception):
    """A file name that an upload rule refuses; `message` is the text for the person, `code` is for programs."""

    message: str
    code: str


def check_upload_name(name: str, *, product: str, exists: Callable[[str], bool]) -> str:
    """The clean name to store the upload `name` under; the rules of SPEC section 5 in their order.

    `exists` tells whether a clean name is taken already. Raises NameRefused with the text of the first rule broken.
    """
    shown = visible(name)
    if "(" in name or ")" in name:
        raise NameRefused(f"Please remove parentheses from: {shown}", "parentheses")
    cleaned = clean_name(name)
    if exists(cleaned):
        raise already_exists(shown)
    if extension(name) not in UPLOAD_EXTENSIONS:
        raise NameRefused(f"We apologize. {product} does not support this file type yet.", "unsupported_type")
    for prefix in PREFIXES.values():
        if _looks_prefixed(name, prefix) or _looks_prefixed(cleaned, prefix):
            raise NameRefused(f"Please remove the prefix: {prefix} from {shown}", "reserved_prefix")
    if not _is_harmless(name):
        raise NameRefused(f"Please rename {shown}: its name holds characters that can be mistaken.", "unsafe_name")
    if is_engine_name(stem(cleaned)):
        raise NameRefused(f"Please rename {shown}: the name is kept for the database.", "engine_name")
    if not _WORD.search(stem(cleaned)):
        raise NameRefused(f"Please rename {shown}: a name needs letters or digits.", "empty_name")
    if len(cleaned) > MAX_NAME_LENGTH or len(name_key(cleaned)) > MAX_NAME_LENGTH:
        raise NameRefused(f"Please shorten the name of {shown[:60]}… to {MAX_NAME_LENGTH} characters.", "long_name")
    return cleaned


def already_exists(shown: str) -> NameRefused:
    """The refusal of a name that is taken (SPEC section 5, rule 2)."""
    return NameRefused(f"A file with the name: {shown} already exists. Please delete it and try again.", "exists")


def clean_name(name: str) -> str:
    """`name` in word characters, dots, spaces, colons and hyphens, with .xlsx turned into .csv."""
    kept = _NOT_KEPT.sub("", unicodedata.normalize("NFC", name))
    text = _SPACE.sub(" ", kept).strip()
    if extension(text) in UPLOAD_EXTENSIONS:
        return f"{stem(text).rstrip()}.csv"
    return text


def extension(name: str) -> str:
    """The lower-case ending after the last dot, "" where there is none."""
    _, dot, tail = name.strip().rpartition(".")
    return tail.lower() if dot else ""


def stem(name: str) -> str:
    """The name without its ending."""
    head, dot, _ = name.strip().rpartition(".")
    return head if dot else name.strip()


def name_key(name: str) -> str:
    """What makes two names the same within an organization: case and compatibility forms do not count."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def group_of(file_name: str) -> Group:
    """Which of the three groups a stored name belongs to, by its prefix."""
    for group, prefix in PREFIXES.items():
        if _has_prefix(file_name, prefix):
            return group
    return "uploaded"


def display_name(file_name: str) -> str:
    """The name people see: without the source prefix and .csv; a tab stands behind its spreadsheet like a sheet."""
    spreadsheet, tab = spreadsheet_and_tab(file_name)
    return f"{spreadsheet} - {tab}" if tab else spreadsheet


def spreadsheet_and_tab(file_name: str) -> tuple[str, str]:
    """Spreadsheet and tab of a spreadsheet source's name; the tab is "" where the name holds no marker."""
    if group_of(file_name) != "spreadsheet":
        return _bare(file_name), ""
    spreadsheet, _, tab = _bare(file_name).partition(TAB_MARKER)
    return spreadsheet, tab


def _bare(file_name: str) -> str:
    """The name without the source prefix and without .csv."""
    name = file_name
    for prefix in PREFIXES.values():
        if _has_prefix(name, prefix):
            name = name[len(prefix) :]
            break
    return name[:-4] if name.lower().endswith(".csv") else name


def sheet_file_names(workbook: str, sheets: Sequence[str]) -> list[str]:
    """The stored names of a workbook's non-empty sheets; `workbook` is its clean name ("Budget.csv").

    One sheet keeps the workbook's name, several become "{workbook} - {sheet}.csv". No two are alike.
    """
    if len(sheets) == 1:
        return [workbook]
    names: list[str] = []
    taken: set[str] = set()
    for number, sheet in enumerate(sheets, start=1):
        label = _SPACE.sub(" ", _NOT_KEPT.sub("", unicodedata.normalize("NFC", visible(sheet)))).strip()
        label = label[:60] if _WORD.search(label) else f"Sheet {number}"
        name = first_free((f"{stem(workbook)} - {label}.csv", *_numbered(f"{stem(workbook)} - {label}", ".csv")), taken)
        taken.add(name_key(name))
        names.append(name)
    return names


def table_name(file_name: str, taken: Collection[str]) -> str:
    """What the engine calls the table of a file: its display name, told apart from the `taken` keys (name_key) and from
    what the engine itself is made of."""
    shown = display_name(file_name)
    word = {"uploaded": "uploaded", "crm": CRM_PREFIX.rstrip("_"), "spreadsheet": SHEETS_PREFIX.rstrip("_")}
    candidates = (shown, f"{word[group_of(file_name)]} {shown}", *_numbered(shown, ""))
    return first_free((name for name in candidates if not is_engine_name(name)), taken)


def first_free(candidates: Iterable[str], taken: Collection[str]) -> str:
    """The first candidate whose key is not in `taken`."""
    return next(name for name in candidates if name_key(name) not in taken)


def visible(name: str) -> str:
    """`name` without control and formatting characters, so that a message cannot be bent by it."""
    return "".join(c for c in name if unicodedata.category(c) not in {"Cc", "Cf", "Cs", "Co", "Cn"}).strip()


def _numbered(text: str, ending: str) -> Iterable[str]:
    return (f"{text} {n}{ending}" for n in range(2, 100_000))


def _has_prefix(name: str, prefix: str) -> bool:
    return name[: len(prefix)].lower() == prefix


def _looks_prefixed(name: str, prefix: str) -> bool:
    """Whether a name begins with a prefix as `name_key` sees it, or as people do: compatibility and other forms of a
    letter, case and marks that are not seen do not count."""
    plain = "".join(_latin(c) for c in unicodedata.normalize("NFKD", name))
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", plain).upper().casefold())
    seen = "".join(c for c in folded if unicodedata.category(c) not in _UNSEEN).lstrip()
    return seen[: len(prefix)].translate(_DRAWN_ALIKE) == prefix


def _latin(mark: str) -> str:
    """The plain letter that a Latin letter of another form is drawn after: small capitals, script and struck ones."""
    form = _LATIN_FORM.fullmatch(unicodedata.name(mark, ""))
    return form[1] if form else mark


def _is_harmless(name: str) -> bool:
    """False for control characters, reversed text, marks that look like path marks, and words of two alphabets."""
    for mark in name:
        if unicodedata.category(mark) in {"Cc", "Cs"} or mark in _BIDI_CONTROLS or mark in _PATH_LOOKALIKES:
            return False
        if ord(mark) > 127 and _PATH_MARKS & set(unicodedata.normalize("NFKC", mark)):
            return False
    return not any(_mixes_alphabets(word) for word in _WORD.findall(name))


def _mixes_alphabets(word: str) -> bool:
    names = [unicodedata.name(c, "") for c in word if c.isalpha()]
    latin = any(n.startswith("LATIN") for n in names)
    return latin and (any(n.startswith(_LIKE_LATIN) for n in names) or any(c in _GREEK_LIKE_LATIN for c in word))
