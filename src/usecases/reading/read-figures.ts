import type { ListingFigures } from '#connectors/connector.ts';
import { notify } from '#db/listen.ts';
import type { TextRow } from '#db/queries/import-rows.ts';
import { writeFigures } from '#db/queries/marketplace-figures.ts';
import { listNamed } from '#db/queries/marketplace-listings.ts';
import { transact } from '#db/transact.ts';
import { decimalFromBps } from '#domain/decimal.ts';
import type { ReadingDeps, ReadingOf } from './reading-deps.ts';

const BATCH = 200;

export interface FigureCounts {
  readonly read: number;
  readonly unread: number;
}

/** Reads rank, rating and buy-box share of every listing. @throws ConnectorError */
export async function readFigures(
  { db, now }: ReadingDeps,
  { connection: { marketplace, connector, account }, signal }: ReadingOf,
): Promise<FigureCounts> {
  let counts: FigureCounts = { read: 0, unread: 0 };
  if (connector.readFigures === undefined) return counts;
  for (let after = 0; ; ) {
    const refs = await listNamed(db, marketplace, after, BATCH);
    const last = refs.at(-1);
    if (last === undefined) return counts;
    after = last.listingId;
    for await (const page of connector.readFigures(account, refs, signal)) {
      const figures = page.filter((each): each is ListingFigures => each.kind === 'figures');
      const once = [...new Map(figures.map((each) => [each.listingId, each])).values()];
      await transact(db, async (tx) => {
        await writeFigures(tx, once.map(rowOf), now());
        await notify(tx, 'pricewright_listings', []);
      });
      counts = { read: counts.read + once.length, unread: counts.unread + page.length - figures.length };
    }
  }
}

function rowOf(figures: ListingFigures): TextRow {
  const { listingId, reviewCount, averageRating, salesRank, salesRankCategory, buyBoxShare } = figures;
  const count = (value: number | null): string | null => (value === null ? null : String(value));
  return {
    ...{
      listingId: String(listingId),
      reviewCount: count(reviewCount),
      salesRank: count(salesRank),
      salesRankCategory,
    },
    averageRating: averageRating === null ? null : (averageRating / 100).toFixed(2),
    buyBoxShare: buyBoxShare === null ? null : decimalFromBps(buyBoxShare),
  };
}
