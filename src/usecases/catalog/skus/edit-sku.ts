import type { EditSku, SkuFields } from '#contract/skus.ts';
import { notify } from '#db/listen.ts';
import { readDatedSkuCosts } from '#db/queries/catalog/due-sales.ts';
import { addSkuCosts } from '#db/queries/catalog/sku-costs.ts';
import { listingsTouched, lockSku, type SkuChange, updateSku } from '#db/queries/catalog/sku-writes.ts';
import { readSku, type SkuListRow } from '#db/queries/catalog/skus.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { transact } from '#db/transact.ts';
import { backdatedCosts, type SkuCostChange } from '#domain/sales/dated-costs.ts';
import { ounces } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import { findBelowMarginFloor } from '#usecases/catalog/costs/below-margin-floor.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import { lastChangeText } from '#usecases/last-change.ts';
import { requirePast } from '#usecases/require-past.ts';
import { type SkuDeps, skuNotFound } from './sku-deps.ts';

const EXACT_FIELDS = [
  ...(['productCost', 'packagingCost', 'miscCost'] as const),
  ...(['lengthIn', 'widthIn', 'heightIn', 'isHazardous'] as const),
] as const;
const COST_FIELDS = [...EXACT_FIELDS, 'weightOz'] as const;

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
  requirePast(costSince, at);
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
      const added = backdatedCosts(entered, costChangeOf(fields), costSince);
      await addSkuCosts(
        tx,
        added.map((row) => ({ ...row, skuId: id })),
        at,
      );
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

/** The edited costs, with the size and whether it is hazardous: all of them have dates. */
export function costChangeOf({ weightOz, ...fields }: SkuFields): SkuCostChange {
  const edited = EXACT_FIELDS.filter((field) => fields[field] !== undefined);
  return {
    ...Object.fromEntries(edited.map((field) => [field, fields[field]])),
    ...(weightOz === undefined ? {} : { weight: weightOz === null ? null : ounces(weightOz) }),
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
