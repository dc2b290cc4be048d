import type { EditSku, SkuFields } from '#contract/skus.ts';
import { notify } from '#db/listen.ts';
import { readDatedSkuCosts } from '#db/queries/catalog/due-sales.ts';
import { listingsTouched, lockSku, type SkuChange, updateSku } from '#db/queries/catalog/sku-acts.ts';
import { addSkuCosts } from '#db/queries/catalog/sku-costs.ts';
import { readSku, type SkuListRow } from '#db/queries/catalog/skus.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { transact } from '#db/transact.ts';
import { backdatedCosts, type SkuCostChange } from '#domain/sales/dated-costs.ts';
import { type Instant, ounces } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import { findBelowMarginFloor } from '#usecases/catalog/costs/below-margin-floor.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import { lastChangeText } from '#usecases/last-change.ts';
import { type SkuDeps, skuNotFound } from './sku-deps.ts';

const COST_FIELDS = [
  ...(['productCost', 'weightOz', 'packagingCost', 'miscCost'] as const),
  ...(['lengthIn', 'widthIn', 'heightIn'] as const),
];

/** Whether an edit changes a cost. */
export function touchesCost(fields: SkuFields): boolean {
  return COST_FIELDS.some((field) => fields[field] !== undefined);
}

/**
 * Saves the edited fields of a SKU.
 * @returns the SKU as it is now, and the listings that are then below their margin floor
 * @throws AppError not_found; conflict when another user saved it after the editor was opened; validation_failed for a
 *   cost that would apply from the future
 */
export async function editSku(
  { db, now }: SkuDeps,
  id: number,
  { version, costSince, ...fields }: EditSku,
  editor: Editor,
): Promise<{ sku: SkuListRow } & Awaited<ReturnType<typeof findBelowMarginFloor>>> {
  const at = now();
  if (costSince !== undefined) requirePast(costSince, at);
  return transact(db, async (tx) => {
    const stored = await lockSku(tx, id);
    const before = await readSku(tx, String(id));
    if (stored === null || before === null) throw skuNotFound();
    if (stored.version !== version) {
      const change = await lastChangeText(tx, { ...stored, kind: 'sku' }, at);
      throw new AppError(
        'conflict',
        `${stored.sku} was changed after you opened it${change}. Review the new values, then save.`,
      );
    }
    await updateSku(tx, id, changeOf(fields), at);
    if (costSince !== undefined) {
      const entered = await readDatedSkuCosts(tx, [stored.sku]);
      await addSkuCosts(tx, id, backdatedCosts(entered, costChangeOf(fields), costSince), at);
    }
    const sku = await readSku(tx, String(id));
    if (sku === null) throw skuNotFound();
    await insertAudit(tx, {
      ...madeBy(editor, at),
      action: 'sku.edited',
      targetKind: 'sku',
      targetId: sku.id,
      before: touchedOf(before, fields),
      after: {
        ...touchedOf(sku, fields),
        ...(costSince === undefined ? {} : { costSince: new Date(costSince).toISOString() }),
      },
    });
    const touched = touchesCost(fields) ? await listingsTouched(tx, [id]) : [];
    if (touched.length > 0) await notify(tx, 'pricewright_listings', touched);
    return { sku, ...(await findBelowMarginFloor(tx, touched, at)) };
  });
}

/** @throws AppError validation_failed */
export function requirePast(costSince: Instant, now: Instant): void {
  if (costSince <= now) return;
  const message = 'Choose a day up to today: a cost cannot apply from the future.';
  throw new AppError('validation_failed', message, { fields: { costSince: message } });
}

/** The edited costs that have dates: sizes have none. */
export function costChangeOf({ productCost, weightOz, packagingCost, miscCost }: SkuFields): SkuCostChange {
  return {
    ...(productCost === undefined ? {} : { productCost }),
    ...(weightOz === undefined ? {} : { weight: weightOz === null ? null : ounces(weightOz) }),
    ...(packagingCost === undefined ? {} : { packagingCost }),
    ...(miscCost === undefined ? {} : { miscCost }),
  };
}

function changeOf({ weightOz, ...rest }: SkuFields): SkuChange {
  if (weightOz === undefined) return rest;
  return { ...rest, weightOz: weightOz === null ? null : ounces(weightOz) };
}

/** The edited fields as decimals for the audit log. */
function touchedOf(sku: SkuListRow, fields: SkuFields): Partial<SkuListRow> {
  return Object.fromEntries(Object.entries(sku).filter(([field]) => field in fields));
}
