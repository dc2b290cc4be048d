import { LISTING_SORTS, LISTING_STATES } from '#contract/listings.ts';
import { SKU_SORTS } from '#contract/skus.ts';
import { FULFILLMENT_TYPES, MARKETPLACES } from '#domain/marketplaces.ts';
import { seeded } from './seeded.ts';

/** One request of the mix; `last` asks for the last page of what the query shows. */
export interface ListRequest {
  readonly kind: 'sort' | 'filter' | 'search' | 'find' | 'history' | 'skus';
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly page: number | 'last';
}

const TERMS = [
  'mug',
  'bottle',
  'steel',
  'plum',
  'ab-0',
  'kt-00123',
  'walnut desk',
  'model 1a',
  'sage, 7',
  'nothing here',
];
const SORTS = LISTING_SORTS.flatMap((sort) => [sort, `-${sort}`]);
const SKU_ORDERS = SKU_SORTS.flatMap((sort) => [sort, `-${sort}`]);
const SKUS = '/api/skus';
const FIND = '/api/search';
const SIZE = 50;

/**
 * 200 requests for listings: every order from its first page to its last and on pages up to 200, filters, and searches
 * from three characters. Behind them 12 for the search of everything, 60 for the price history and 80 for SKUs.
 */
export function requestMix(): ListRequest[] {
  const random = seeded(20_261_121);
  const listings = '/api/listings';
  const pick = <T>(choices: readonly T[]): T => choices[random.whole(0, choices.length - 1)] as T;
  const page = () => pick<number | 'last'>([1, 1, 2, random.whole(3, 20), random.whole(21, 200), 'last']);
  const sorts = SORTS.flatMap((sort) =>
    [1, random.whole(2, 50), random.whole(51, 200), 'last' as const].map(
      (at): ListRequest => ({ kind: 'sort', path: listings, query: { sort }, page: at }),
    ),
  );
  const filters = Array.from({ length: 78 }, (): ListRequest => {
    const marketplace: Record<string, string> = random.chance(0.5) ? { marketplace: pick(MARKETPLACES) } : {};
    const fulfillment: Record<string, string> = random.chance(0.3)
      ? { fulfillment: pick(FULFILLMENT_TYPES) }
      : {};
    const state: Record<string, string> = random.chance(0.6) ? { state: pick(LISTING_STATES) } : {};
    const problem: Record<string, string> = random.chance(0.1)
      ? { problem: pick(['no_tier', 'no_weight', 'no_sku']) }
      : {};
    const query = { sort: pick(SORTS), ...marketplace, ...fulfillment, ...state, ...problem };
    return { kind: 'filter', path: listings, query, page: page() };
  });
  const searches = Array.from({ length: 50 }, (): ListRequest => {
    const only: Record<string, string> = random.chance(0.3) ? { marketplace: pick(MARKETPLACES) } : {};
    const at = pick<number | 'last'>([1, 1, 2, 5, 'last']);
    return {
      kind: 'search',
      path: listings,
      query: { q: pick(TERMS), sort: pick(SORTS), ...only },
      page: at,
    };
  });
  // The search of the whole program, from the first letter on.
  const finds = [...TERMS, 'b', 'kt'].map(
    (q): ListRequest => ({ kind: 'find', path: FIND, query: { q }, page: 1 }),
  );
  const history = Array.from({ length: 60 }, (): ListRequest => {
    const query = pick<Record<string, string>>([
      {},
      { days: '30' },
      { source: 'person' },
      { marketplace: pick(MARKETPLACES) },
      { q: pick(TERMS) },
      { changedBy: pick(['ann', 'rule 7', 'nobody']) },
      { listing: String(random.whole(1, 1_000)) },
    ]);
    return { kind: 'history', path: '/api/history', query, page: page() };
  });
  const skus = Array.from({ length: 80 }, (): ListRequest => {
    const search: Record<string, string> = random.chance(0.5) ? { q: pick(TERMS) } : {};
    return { kind: 'skus', path: SKUS, query: { sort: pick(SKU_ORDERS), ...search }, page: page() };
  });
  return [...sorts, ...filters, ...searches, ...finds, ...history, ...skus];
}

/** The address of a request. @param total rows of the same query, for its last page */
export function addressOf({ path, query, page }: ListRequest, total: number): string {
  if (path === FIND) return `${path}?${new URLSearchParams(query)}`;
  const at = page === 'last' ? Math.max(1, Math.ceil(total / SIZE)) : page;
  const size = path === SKUS ? 'pageSize' : 'size';
  return `${path}?${new URLSearchParams({ ...query, page: String(at), [size]: String(SIZE) })}`;
}
