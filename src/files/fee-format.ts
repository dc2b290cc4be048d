import type { BandKind, FeeBand } from '#domain/fees/fee-schedule.ts';
import { BAND_KINDS, PLAIN_BAND } from '#domain/fees/fee-schedule.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { cents, type Instant } from '#domain/units.ts';
import type { Cells } from './cells.ts';
import { keywordsOf, MARKETPLACE_KEYWORDS } from './keywords.ts';
import type { TableFormat } from './table.ts';

export type FeeColumn =
  | 'marketplace'
  | 'category'
  | 'percent'
  | 'fixed'
  | 'minimum'
  | 'bandUpTo'
  | 'bandKind'
  | 'effectiveFrom';

/** The fees file: one row for each band of a schedule. */
export const FEE_FORMAT: TableFormat<FeeColumn> = {
  columns: {
    marketplace: 'required',
    category: 'required',
    percent: 'required',
    fixed: 'required',
    minimum: 'required',
    bandUpTo: 'required',
    bandKind: 'required',
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
  /** Null: it always has held. */
  readonly effectiveFrom: Instant | null;
  /** Null when unreadable. */
  readonly band: FeeBand | null;
}

const NOTHING = cents(0);
const BAND_KIND_KEYWORDS = keywordsOf(BAND_KINDS);

/** Reads the current row of `cells`. Use its band only when `cells.bad` stays empty. */
export function readFee(cells: Cells<FeeColumn>): FeeRow {
  const marketplace = cells.required(
    'marketplace',
    cells.word('marketplace', MARKETPLACE_KEYWORDS),
    MARKETPLACE_KEYWORDS.fix,
  );
  const percent = cells.required('percent', cells.percent('percent'), 'Write the share, such as 15 or 13.6.');
  const fixed = cells.amount('fixed') ?? NOTHING;
  const minimum = cells.amount('minimum') ?? NOTHING;
  const upTo = cells.price('bandUpTo');
  return {
    marketplace,
    category: cells.text('category'),
    bandKind: cells.word('bandKind', BAND_KIND_KEYWORDS),
    effectiveFrom: cells.moment('effectiveFrom'),
    band: percent === null ? null : { ...PLAIN_BAND, upTo, percent, fixed, minimum },
  };
}
