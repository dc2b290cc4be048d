import type { BandKind, EdgeBase, FeeBand } from '#domain/fees/fee-schedule.ts';
import { BAND_KINDS, EDGE_BASES } from '#domain/fees/fee-schedule.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { bps, cents, type Instant } from '#domain/units.ts';
import type { Cells } from './cells.ts';
import { keywordsOf, MARKETPLACE_KEYWORDS } from './keywords.ts';
import type { TableFormat } from './table.ts';

export type FeeColumn =
  | 'marketplace'
  | 'category'
  | 'percent'
  | 'percentTaxed'
  | 'fixed'
  | 'perUnit'
  | 'minimum'
  | 'bandUpTo'
  | 'bandKind'
  | 'edgeBase'
  | 'effectiveFrom';

/** The fees file: one row for each band of a schedule. */
export const FEE_FORMAT: TableFormat<FeeColumn> = {
  columns: {
    marketplace: 'required',
    category: 'required',
    percent: 'required',
    percentTaxed: 'optional',
    fixed: 'required',
    perUnit: 'optional',
    minimum: 'required',
    bandUpTo: 'required',
    bandKind: 'required',
    edgeBase: 'optional',
    effectiveFrom: 'required',
  },
};

/** What a fee row says. */
export interface FeeRow {
  /** Null when unreadable. */
  readonly marketplace: Marketplace | null;
  /** Null: the marketplace's default. */
  readonly category: string | null;
  /** Null when blank: a schedule of one band needs none. */
  readonly bandKind: BandKind | null;
  /** Null when blank: revenue. */
  readonly edgeBase: EdgeBase | null;
  /** Null: it always has held. */
  readonly effectiveFrom: Instant | null;
  /** Null when unreadable. */
  readonly band: FeeBand | null;
}

const NOTHING = cents(0);
const BAND_KIND_KEYWORDS = keywordsOf(BAND_KINDS);
const EDGE_BASE_KEYWORDS = keywordsOf(EDGE_BASES);

/** Reads the current row of `cells`. Use its band only when `cells.bad` stays empty. */
export function readFee(cells: Cells<FeeColumn>): FeeRow {
  const marketplace = cells.required(
    'marketplace',
    cells.word('marketplace', MARKETPLACE_KEYWORDS),
    MARKETPLACE_KEYWORDS.fix,
  );
  const percent = cells.required('percent', cells.percent('percent'), 'Write the share, such as 15 or 13.6.');
  const percentTaxed = cells.percent('percentTaxed') ?? bps(0);
  const fixed = cells.amount('fixed') ?? NOTHING;
  const perUnit = cells.amount('perUnit') ?? NOTHING;
  const minimum = cells.amount('minimum') ?? NOTHING;
  const upTo = cells.price('bandUpTo');
  return {
    marketplace,
    category: cells.text('category'),
    bandKind: cells.word('bandKind', BAND_KIND_KEYWORDS),
    edgeBase: cells.word('edgeBase', EDGE_BASE_KEYWORDS),
    effectiveFrom: cells.moment('effectiveFrom'),
    band: percent === null ? null : { upTo, percent, percentTaxed, fixed, perUnit, minimum },
  };
}
