import type { ApiScope } from '#domain/api-scopes.ts';

/** What each scope of an API token allows, as far as the role of its user does. */
export const SCOPE_LABELS: Readonly<Record<ApiScope, { readonly name: string; readonly hint: string }>> = {
  read: { name: 'Read', hint: 'All read-only calls' },
  prices: { name: 'Prices', hint: 'Prices, rules, holds, limits of listings, price files, undo' },
  catalog: { name: 'Catalog', hint: 'Imports, listings, SKUs, bundles, costs, shipping tiers, fees, syncs' },
  engine: { name: 'Repricing', hint: 'Halt, switch to recommend only, start a run, cancel a job' },
};
