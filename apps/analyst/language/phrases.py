"""Function words: phrases whose meaning does not depend on the data (`phrases.yaml`), and words without content."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import yaml

from apps.analyst.language.morphology import words


@dataclass(frozen=True, slots=True)
class Tag:
    """What a phrase does in a question."""

    kind: str
    value: str


@lru_cache(maxsize=1)
def phrases() -> dict[tuple[str, ...], tuple[Tag, ...]]:
    """Phrase (folded words) -> what it may do; the first tag is the usual one."""
    found: dict[tuple[str, ...], tuple[Tag, ...]] = {}
    for entry in yaml.safe_load((Path(__file__).parent / "phrases.yaml").read_text("utf-8")):
        tag = Tag(entry["kind"], entry.get("value", ""))
        for phrase in entry["phrases"].split("|"):
            parts = tuple(phrase.split())
            found[parts] = (*found.get(parts, ()), tag)
    return found


LONGEST = 7
STOPWORDS = words(
    "our my "
    "a an the is are was were be been being do does did has have had of in on at to for from by with and or that this "
    "these those it its "
    "their there them they he she his her him who which what when where whose how as than then so also any some all "
    "show me give list find "
    "please pls plz tell return display get us you your can could would should will i want need like one ones each "
    "every such "
    "into about out up only "
    "just not no does's name many much more most least if but nor both either between among during within without per "
    "via versus vs am"
)
"""Words that carry no content of their own: never looked up as values or counted as not understood."""

FILLERS = words(
    "fetch extract pull something anything someone somebody anyone anybody "
    "show me give list find please pls plz tell return display get provide present retrieve identify select compute "
    "calculate determine see know want "
    "would like could can you i we us let help draw plot chart graph visualize visualise make create generate result "
    "results data dataset "
    "database table information info record records row rows listed list exist exists existing available there "
    "according following "
    "corresponding respective respectively associated related using used based give also their his her its them they "
    "it hence each any all "
    "that this these those is are was were be been being do does did has have had having the a an of in on at to for "
    "from by with and or as "
    "so than then such into about out up will shall may might should must what which who whom whose when where how "
    "why many much did done "
    "total number overall whole entire currently ever yet still already own owns belong belongs ones one together out "
    "name names value values "
    "kind type different various distinct unique some get got happen happened occur occurred take took taken hold "
    "held consist include "
    "including contain contains change changed changes vary varies varied general overall happened report describe "
    "compare comparing comparison detail details full here just only please visualization visualisation "
    "come comes came coming go goes going gone went through undergo undergone underwent bring brings brought bringing "
    "bar pie line scatter axis x y column color colour stacked grouped"
)
"""Words a person says round a question; leaving them unused says nothing against a reading."""
