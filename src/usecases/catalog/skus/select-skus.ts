import { MAX_SKUS_AT_ONCE, type SkuSelection } from '#contract/skus.ts';
import type { Db } from '#db/client.ts';
import { idsOfFilter } from '#db/queries/catalog/sku-writes.ts';
import { AppError } from '#usecases/app-error.ts';

/**
 * The SKUs of a selection now; by id, deleted ones too.
 * @throws AppError conflict when a filter returns another number than the user saw, with it as `fields.expected`;
 *   bad_request for too many at once
 */
export async function selectSkus(db: Db, selection: SkuSelection): Promise<number[]> {
  if ('ids' in selection) return [...new Set(selection.ids.map(Number))];
  const ids = await idsOfFilter(db, selection.filter);
  if (ids.length !== selection.expected) {
    throw new AppError(
      'conflict',
      `${countText(ids.length)} match now, not ${selection.expected.toLocaleString('en-US')}. Review the selection, then try again.`,
      { fields: { expected: String(ids.length) } },
    );
  }
  if (ids.length > MAX_SKUS_AT_ONCE) {
    throw new AppError(
      'bad_request',
      `${countText(ids.length)} are too many at once. The limit is ${MAX_SKUS_AT_ONCE.toLocaleString('en-US')}. Narrow the search.`,
    );
  }
  return ids;
}

function countText(count: number): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? 'SKU' : 'SKUs'}`;
}
