import {
  keepPreviousData,
  type QueryClient,
  queryOptions,
  type UseMutationResult,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { type CostRow, CostsPage, FeeEstimates } from '#contract/cost-list.ts';
import { COST_PARTS, type CostPartName, type ListingCosts, type SavedCosts } from '#contract/costs.ts';
import { decimalFromCents, parseCents } from '#domain/decimal.ts';
import { isAmount } from '#domain/units.ts';
import { call } from '#web/lib/api.ts';
import { queryText } from '#web/lib/list-state.ts';
import { callWithStepUp } from '#web/lib/step-up.ts';

const LIST_KEY = ['costs', 'list'] as const;
/** Milliseconds; repricing one SKU takes less. */
const DECIDED_AFTER = 2_000;

/** One page of the cost parts of listings. */
export const costsQuery = (q: string, page: number, size: number) =>
  queryOptions({
    queryKey: [...LIST_KEY, { q, page, size }] as const,
    queryFn: () => {
      const params = { ...(q === '' ? {} : { q }), page: String(page), size: String(size) };
      return call(CostsPage, 'GET', `/api/costs${queryText(params)}`);
    },
    placeholderData: keepPreviousData,
  });

/** Writes saved costs into the cached pages of the list, and updates the other listings of the SKU. */
export function noteSavedCosts(client: QueryClient, { costs }: SavedCosts): void {
  putRows(client, (row) => withCosts(row, costs));
  // Other listings of the SKU are updated after the engine has repriced them.
  setTimeout(() => void client.invalidateQueries({ queryKey: LIST_KEY }), DECIDED_AFTER);
}

export function useNoteSavedCosts(): (saved: SavedCosts) => void {
  const client = useQueryClient();
  return (saved) => noteSavedCosts(client, saved);
}

/** Lets prices change because of estimated fulfillment fees, or not. */
export function useAcceptFeeEstimates(): UseMutationResult<FeeEstimates, Error, boolean> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (areAccepted) => callWithStepUp(FeeEstimates, 'PUT', '/api/costs/estimates', { areAccepted }),
    onSettled: () => client.invalidateQueries({ queryKey: LIST_KEY }),
  });
}

/** Reloads the visible pages, as after an error. */
export function reloadCosts(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: LIST_KEY });
}

/** Shows a cost part optimistically. A cleared one shows the old value until the server responds. */
export function showCost(
  client: QueryClient,
  listingId: string,
  part: CostPartName,
  { stored, shown }: { readonly stored: string | null; readonly shown: string | null },
): void {
  putRows(client, (row) =>
    row.listingId === listingId
      ? { ...row, [`${part}Cost`]: shown, stored: { ...row.stored, [part]: stored } }
      : row,
  );
}

function putRows(client: QueryClient, change: (row: CostRow) => CostRow): void {
  client.setQueriesData<CostsPage>(
    { queryKey: LIST_KEY },
    (page) => page && { ...page, rows: page.rows.map(change) },
  );
}

function withCosts(row: CostRow, { listingId, sku, parts, totalCost, ...costs }: ListingCosts): CostRow {
  const known = (names: readonly CostPartName[]) => parts.filter(({ part }) => names.includes(part));
  const amounts = (of: typeof parts) =>
    Object.fromEntries(of.map(({ part, amount }) => [`${part}Cost`, amount]));
  const goods = known(['product', 'packaging', 'misc']).filter(({ source }) => source === 'sku');
  const stored = Object.fromEntries(goods.map(({ part, amount }) => [part, amount]));
  const { skuVersion } = costs;
  if (row.listingId !== listingId) {
    // These parts belong to the SKU: its other listings show and save the same.
    const isSameSku = row.sku === sku && row.goodsReadOnly === null;
    if (!isSameSku) return row;
    const changed = { ...row, ...amounts(goods), stored: { ...row.stored, ...stored }, skuVersion };
    return { ...changed, totalCost: totalOf(changed) };
  }
  const own = known(['shipping', 'fulfillment']).map(({ part, amount, source }) => [
    part,
    source === 'listing' || source === 'estimate' ? amount : null,
  ]);
  return {
    ...row,
    ...amounts(parts),
    totalCost,
    version: costs.version,
    skuVersion,
    stored: { ...row.stored, ...stored, ...Object.fromEntries(own) },
  };
}

/** The sum of the parts, until the engine has repriced the listing; null while one is unknown. */
function totalOf(row: CostRow): string | null {
  let total = 0;
  for (const part of COST_PARTS) {
    const amount = parseCents(row[`${part}Cost`] ?? '');
    if (amount === null) return null;
    total += amount;
  }
  return isAmount(total) ? decimalFromCents(total) : null;
}
