"""From a resolved sketch to one query. Decides nothing about words; the steps stand in `building`."""

from __future__ import annotations

from apps.analyst.language.building.aggregated import aggregated_query, counted_groups
from apps.analyst.language.building.apart import figures_apart, figures_of_tables
from apps.analyst.language.building.behind import behind_largest, stands_behind
from apps.analyst.language.building.built import Built, Unbuildable
from apps.analyst.language.building.first_rows import figures_of_first_rows, is_of_first_rows
from apps.analyst.language.building.inside import belongs_to_first, rows_of_first
from apps.analyst.language.building.listing import listing
from apps.analyst.language.building.settling import settle
from apps.analyst.language.building.shares import is_part_of_whole, part_of_whole
from apps.analyst.language.building.within import ranking_within, ranks_within
from apps.analyst.language.parse.draft import Draft


def build(draft: Draft) -> Built:
    """The query of a sketch. Raises Unbuildable."""
    wanted = stands_behind(draft)
    if wanted is not None:
        return behind_largest(draft, wanted)
    edge = belongs_to_first(draft)
    if edge is not None:
        return rows_of_first(draft, edge)
    if ranks_within(draft):
        return ranking_within(draft)
    settle(draft)
    if is_of_first_rows(draft):
        return figures_of_first_rows(draft)
    if figures_of_tables(draft):
        return figures_apart(draft)
    if draft.first_to_second is not None:
        raise Unbuildable
    if is_part_of_whole(draft):
        return part_of_whole(draft)
    if (
        draft.having
        and not draft.groups
        and not draft.select
        and len(draft.measures) == 1
        and draft.measures[0].fn == "count"
    ):
        return counted_groups(draft)
    aggregated = bool(draft.measures or draft.having or draft.groups) or any(sort.measure for sort in draft.sorts)
    return aggregated_query(draft) if aggregated else listing(draft)
