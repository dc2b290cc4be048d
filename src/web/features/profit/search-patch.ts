type Search = Readonly<Record<string, unknown>>;

/** The search parameters of a link to this page with others: undefined removes one. It starts at the first page of the usual order. */
export function here(patch: Readonly<Record<string, string | undefined>>): (current: Search) => Search {
  return (current) => ({ ...current, page: undefined, sort: undefined, ...patch });
}
