import type { AcceptCategory, CategorySuggestions } from '#contract/fee-categories.ts';
import { CATEGORY_LISTING_LIMIT } from '#contract/fee-categories.ts';
import type { Db } from '#db/client.ts';
import { listMappedCategories } from '#db/queries/catalog/category-map.ts';
import {
  acceptOpenCategories,
  countOpenCategories,
  listOpenCategories,
} from '#db/queries/catalog/category-suggestions.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { readFeeSchedules, readSalesTax } from '#db/queries/repricing/pricing-context.ts';
import { transact } from '#db/transact.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import {
  type CategoryFacts,
  categoryMap,
  feeCategoryOf,
  feesOfCategory,
  isLowerSomewhere,
} from '#domain/fees/fee-category.ts';
import { feeTables } from '#domain/fees/fee-tables.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';

/** A category with lower fees that waits for a user, with its listings by what the marketplace calls them. */
interface Suggestion {
  readonly marketplace: Marketplace;
  readonly category: string;
  readonly groups: readonly CategoryFacts[];
  readonly listings: number;
}

/** The categories found whose fees are lower than the default at any price, those of most listings first. */
export async function readCategorySuggestions(db: Db, now: Instant): Promise<CategorySuggestions> {
  const suggestions: CategorySuggestions['suggestions'] = [];
  for (const { marketplace, category, groups, listings } of await findSuggestions(db, now)) {
    const shown = await listOpenCategories(db, groups, CATEGORY_LISTING_LIMIT);
    suggestions.push({
      marketplace,
      category,
      listings,
      shown: shown.map(({ id, currentPrice, ...listing }) => ({
        ...listing,
        listingId: String(id),
        currentPrice: decimalFromCents(currentPrice),
      })),
    });
  }
  return { suggestions };
}

async function findSuggestions(db: Db, now: Instant): Promise<Suggestion[]> {
  const book = feeTables(await readFeeSchedules(db), await readSalesTax(db));
  const map = categoryMap(await listMappedCategories(db));
  const suggestions = new Map<string, Suggestion>();
  for (const { listings, ...group } of await countOpenCategories(db)) {
    const { marketplace } = group;
    const found = feeCategoryOf(book, map, group, now);
    const { category, isAccepted } = found;
    if (category === null || isAccepted) continue;
    const present = feesOfCategory(book, marketplace, found, now);
    const accepted = feesOfCategory(book, marketplace, { ...found, isAccepted: true }, now);
    if (present === null || accepted === null || !isLowerSomewhere(accepted, present)) continue;
    const key = `${marketplace}/${category}`;
    const known = suggestions.get(key);
    suggestions.set(key, {
      marketplace,
      category,
      groups: [...(known?.groups ?? []), group],
      listings: (known?.listings ?? 0) + listings,
    });
  }
  return [...suggestions.values()].sort((a, b) => b.listings - a.listings);
}

/**
 * Lets the listings of a category found have its lower fees from now on.
 * @throws AppError conflict when they are not as many as the user saw
 */
export async function acceptCategory(
  { db, now }: { db: Db; now: () => Instant },
  { marketplace, category, listings }: AcceptCategory,
  editor: Editor,
): Promise<CategorySuggestions> {
  await transact(db, async (tx) => {
    const found = (await findSuggestions(tx, now())).find(
      (each) => each.marketplace === marketplace && each.category === category,
    );
    const accepted = found === undefined ? 0 : await acceptOpenCategories(tx, found.groups, category, now());
    if (accepted !== listings) throw new AppError('conflict', changedText(accepted));
    await insertAudit(tx, {
      ...madeBy(editor, now()),
      action: 'fees.category_accepted',
      targetKind: 'fee category',
      targetId: category,
      after: { marketplace, category, listings },
    });
  });
  return readCategorySuggestions(db, now());
}

function changedText(listings: number): string {
  if (listings === 0) return 'No listing waits for this category now. Reload the page.';
  const now = listings === 1 ? '1 listing is' : `${listings} listings are`;
  return `${now} affected now, a different number than shown. Reload the page and review them.`;
}
