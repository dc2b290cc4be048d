import type { PriceFileCleared } from '#contract/price-file.ts';
import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import {
  clearUploaded,
  countToUpload,
  makePriceFile,
  type PriceFile,
  readPriceFileRows,
} from '#db/queries/repricing/price-file.ts';
import { transact } from '#db/transact.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';
import { safeCell, unguardedCsvLine } from '#files/safe-cell.ts';
import { AppError } from '#usecases/app-error.ts';
import type { ListingDeps } from '#usecases/catalog/listings/listing-deps.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import { findWithheldPrices } from './withheld-prices.ts';

const COLUMNS = ['marketplace', 'sku', 'marketplaceItemId', 'price'];
const CHUNK_SIZE = 5_000;

/** A price file, and the number of waiting prices that were withheld from it. */
export interface OpenedPriceFile extends PriceFile {
  readonly heldBack: number;
}

/**
 * Makes the price file to upload to a marketplace and records its content. Every price is checked again with current
 * facts; one that is now below its minimum margin is withheld and stays marked for upload.
 */
export async function openPriceFile(
  { db, now }: ListingDeps,
  marketplace: Marketplace,
  editor: Editor,
): Promise<OpenedPriceFile> {
  const at = now();
  const withheld = await findWithheldPrices(db, marketplace, at);
  return transact(db, async (tx) => {
    const file = await makePriceFile(tx, marketplace, withheld, editor.name, at);
    await insertAudit(tx, {
      ...madeBy(editor, at),
      action: 'price_file.made',
      targetKind: 'marketplace',
      targetId: marketplace,
      after: { madeAt: new Date(file.madeAt).toISOString(), prices: file.count, heldBack: withheld.length },
    });
    return { ...file, heldBack: withheld.length };
  });
}

/**
 * Text of a price file in chunks, so that a large one is never completely in memory.
 * @param chunkSize prices per chunk
 */
export async function* priceFileText(
  db: Db,
  marketplace: Marketplace,
  { id, count }: PriceFile,
  chunkSize = CHUNK_SIZE,
): AsyncGenerator<string> {
  yield unguardedCsvLine(COLUMNS);
  for (let from = 1; from <= count; from += chunkSize) {
    const rows = await readPriceFileRows(db, id, from, chunkSize);
    yield rows
      .map(({ sku, marketplaceItemId, price }) =>
        unguardedCsvLine([
          marketplace,
          safeCell(sku),
          safeCell(marketplaceItemId ?? ''),
          decimalFromCents(price),
        ]),
      )
      .join('');
  }
}

/**
 * Records that a user uploaded a file: clears the marks of exactly the prices it contained.
 * @param madeAt identifies the file
 * @throws AppError not_found when no such file was made
 */
export async function confirmUpload(
  { db, now }: ListingDeps,
  marketplace: Marketplace,
  madeAt: Instant,
  editor: Editor,
): Promise<PriceFileCleared> {
  const at = now();
  return transact(db, async (tx) => {
    const cleared = await clearUploaded(tx, marketplace, madeAt, at);
    if (cleared === null) {
      throw new AppError(
        'not_found',
        `No price file for ${MARKETPLACE_NAMES[marketplace]} was created at that time. Download it again and upload that one.`,
      );
    }
    await insertAudit(tx, {
      ...madeBy(editor, at),
      action: 'price_file.uploaded',
      targetKind: 'marketplace',
      targetId: marketplace,
      after: { madeAt: new Date(madeAt).toISOString(), cleared: cleared.length },
    });
    if (cleared.length > 0) await notify(tx, 'pricewright_listings', cleared);
    return { cleared: cleared.length, waiting: await countToUpload(tx, marketplace) };
  });
}
