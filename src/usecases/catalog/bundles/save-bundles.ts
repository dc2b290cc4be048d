import type { SaveBundles } from '#contract/bundles.ts';
import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import { findBundleInBundle } from '#db/queries/catalog/bundle-codes.ts';
import {
  listingsOfSkus,
  lockBundles,
  readBundles,
  type SkuRecord,
  type StoredComponent,
} from '#db/queries/catalog/bundles.ts';
import { replaceComponents } from '#db/queries/catalog/import-bundles.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { transact } from '#db/transact.ts';
import { groupBy } from '#domain/group-by.ts';
import type { Instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import type { ListingDeps } from '#usecases/catalog/listings/listing-deps.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import { lastBundleChangeText } from '#usecases/last-change.ts';
import { auditedBundles, auditedStored } from './audited-bundles.ts';
import { skusById } from './skus-by-id.ts';

interface SaveOptions {
  /** The highest component id of these bundles that the user saw, 0 for none; undefined skips the check. */
  readonly seen?: number | undefined;
  /** An Undo restores the components even if they could not be added now. */
  readonly restores?: boolean;
}

/**
 * Replaces all components of every named listing SKU: all of them or none. A bundle that is stored with these
 * components already does not change, and its listings do not become due.
 * @returns the named bundles as they are stored now
 * @throws AppError validation_failed for a SKU that is twice in one bundle; conflict for a deleted SKU or a component
 *   that is a bundle itself, and for a bundle that was saved after the user opened it
 */
export async function saveBundles(
  { db, now }: ListingDeps,
  input: SaveBundles,
  { seen, restores }: SaveOptions,
  editor: Editor,
): Promise<StoredComponent[]> {
  rejectDuplicates(input);
  const wanted = groupBy(input, ({ listingSku }) => listingSku);
  const named = [...wanted.keys()];
  return transact(db, async (tx) => {
    await lockBundles(tx);
    const at = now();
    const before = await readBundles(tx, named);
    await rejectStale(tx, named, before, restores ? 0 : seen, at);
    const skus = await skusById(
      tx,
      input.map(({ componentSkuId }) => Number(componentSkuId)),
    );
    if (!restores) rejectDeletedSkus(skus);
    const stored = groupBy(before, ({ component }) => component.listingSku);
    const changed = named.filter((sku) => !isStored(wanted.get(sku) ?? [], stored.get(sku) ?? []));
    if (changed.length === 0) return before;
    const rows = changed.flatMap((sku) => wanted.get(sku) ?? []);
    await replaceComponents(
      tx,
      changed,
      rows.map(({ listingSku, componentSkuId, quantity }) => ({
        listingSku,
        componentId: componentSkuId,
        quantity: String(quantity),
      })),
      at,
    );
    if (!restores) await rejectNestedBundles(tx, changed);
    await insertAudit(tx, {
      ...madeBy(editor, at),
      action: 'bundles.saved',
      targetKind: 'bundle',
      targetId: changed.length === 1 ? changed[0] : null,
      before: auditedStored(before, changed),
      after: auditedBundles(
        rows.map((row) => ({ ...row, sku: skus.get(row.componentSkuId)?.sku ?? row.componentSkuId })),
        changed,
      ),
    });
    await notify(
      tx,
      'pricewright_listings',
      (await listingsOfSkus(tx, changed)).map(({ id }) => id),
    );
    return readBundles(tx, named);
  });
}

/** @throws AppError conflict for a deleted SKU: its cost is unknown */
function rejectDeletedSkus(skus: ReadonlyMap<string, SkuRecord>): void {
  const deleted = [...skus.values()].find(({ deletedAt }) => deletedAt !== null);
  if (deleted === undefined) return;
  throw new AppError(
    'conflict',
    `SKU ${deleted.sku} was deleted. Remove it from the bundle, or add it again under SKUs.`,
  );
}

/** @throws AppError conflict for a component that is a bundle itself: only its packaging has a cost */
async function rejectNestedBundles(tx: Db, changed: readonly string[]): Promise<void> {
  const found = await findBundleInBundle(tx, changed);
  if (found === null) return;
  throw new AppError(
    'conflict',
    `SKU ${found.sku} is itself a bundle: add its components to bundle ${found.listingSku} instead.`,
  );
}

function rejectDuplicates(input: SaveBundles): void {
  const known = new Set<string>();
  for (const { listingSku, componentSkuId } of input) {
    const key = `${componentSkuId} ${listingSku}`;
    if (known.has(key)) {
      throw new AppError(
        'validation_failed',
        `The SKU with the number ${componentSkuId} is in bundle ${listingSku} twice. Send it once, with the total quantity.`,
      );
    }
    known.add(key);
  }
}

/** @throws AppError conflict for a bundle that was saved after the user opened it */
async function rejectStale(
  tx: Db,
  named: readonly string[],
  stored: readonly StoredComponent[],
  seen: number | undefined,
  now: Instant,
): Promise<void> {
  if (seen === undefined || seen === Math.max(0, ...stored.map(({ component }) => component.id))) return;
  const [listingSku, ...others] = named;
  const components = auditedStored(stored, named)[listingSku ?? ''] ?? [];
  const change =
    listingSku === undefined || others.length > 0
      ? ''
      : await lastBundleChangeText(tx, listingSku, components, now);
  throw new AppError(
    'conflict',
    `This bundle was changed after you opened it${change}. Load the saved components, then make your changes again.`,
  );
}

type Wanted = Pick<SaveBundles[number], 'componentSkuId' | 'quantity'>;

function isStored(wanted: readonly Wanted[], stored: readonly StoredComponent[]): boolean {
  const quantities = new Map(
    stored.map(({ component }) => [String(component.componentSkuId), component.quantity]),
  );
  return (
    wanted.length === stored.length &&
    wanted.every(({ componentSkuId, quantity }) => quantities.get(componentSkuId) === quantity)
  );
}
