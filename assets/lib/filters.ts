/** What was asked for where nothing was found, in one line; empty where nothing was left out. */
export const filtersText = (filters: readonly string[]): string =>
  filters.length === 0 ? '' : `${filters.length === 1 ? 'Filter' : 'Filters'}: ${filters.join('; ')}.`;
