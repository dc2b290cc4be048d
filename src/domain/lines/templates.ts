/** A rule to start from, as text. */
export interface RuleTemplate {
  readonly name: string;
  /** What it does, in a sentence or two. */
  readonly summary: string;
  readonly whenToUse: string;
  /** Price changes of a listing a day, as measured in simulated markets; null where those do not have what it asks about. */
  readonly changesADay: number | null;
  /** The lines, with `;` between them. */
  readonly lines: string;
}

/**
 * Under the lowest by a share, since a buy box is not won by a cent: by more where we ship ourselves against the warehouse.
 */
const UNDER = '4% under the lowest (12% under faster, 4% under slower)';
/** A competitor that undercuts undercuts again, so each cut is small; but the warehouse is not beaten by a cent. */
const CENT_UNDER = '$0.01 under the lowest (9% under faster, $0.01 under slower)';
const HOLD = 'alone: target margin; winning: hold';
/**
 * The own price can be one of a price war, from before prices recovered. A line that goes back up to it before one that holds
 * a winning price would cut that. A line behind such a one has no bound: it would keep a price that sells nothing.
 */
const UP = 'not under current price';
/** Where a price against competitors would be too low: stay at the lowest price only while it wins something. */
const END = 'buy box share 20% or more: floor; otherwise: 10% over own price';

/**
 * The recommended one first: the one that earned most in simulated markets. Changes a day are from
 * `bench/market/measured.json` (`npm run bench:market`; docs/testing.md says with which seeds).
 */
export const RULE_TEMPLATES = [
  {
    name: 'Back up at night',
    summary:
      'Undercuts the lowest competitor: slightly while prices are high, by more near your lowest allowed price. Goes back up to your own price at night, or every other night while at your lowest allowed price.',
    whenToUse:
      'Recommended for any contested listing. Competitors that follow you raise their prices while few buyers are shopping. Where they do, those below your lowest allowed price are skipped.',
    changesADay: 3.52,
    lines: [
      'alone: target margin',
      'hours 2 to 6 and price at my floor: own price, for 4 h then not for 44 h',
      'hours 2 to 6 and price at my floor: hold',
      `hours 2 to 6: own price, ${UP}`,
      `competitors follow 20% or more: ${CENT_UNDER}, else next competitor`,
      `${CENT_UNDER}, not under 8% between floor and ceiling, else next line`,
      '2% under the lowest (9% under faster, 2% under slower)',
    ].join('; '),
  },
  {
    name: 'Win and hold',
    summary: 'Undercuts competitors by a percentage and keeps the price while it wins.',
    whenToUse:
      'Competitors that raise their prices again. If they stay below your lowest price, yours stays above theirs and does not sell.',
    changesADay: 1.35,
    lines: `${HOLD}; ${UNDER}, else next line; ${END}`,
  },
  {
    name: 'Win and climb',
    summary: 'Like Win and hold, and raises a winning price step by step to just under the next competitor.',
    whenToUse: 'Few competitors, or competitors that leave.',
    changesADay: 1.37,
    lines: `alone: target margin; winning: raise 1% every 24 h up to ${UNDER}; ${UNDER}, else next line; ${END}`,
  },
  {
    name: 'Always back up',
    summary: 'Goes back up whenever the competition is too low.',
    whenToUse:
      'Competitors are repricers that follow price increases. If they stay low, you do not sell until they move.',
    changesADay: 1.73,
    lines: `${HOLD}; ${UNDER}, else next line; otherwise: 10% over own price`,
  },
  {
    name: 'War exit',
    summary:
      'In a price war, alternates one day at the lowest allowed price with two days at your own price.',
    whenToUse: 'Long price wars with competitors that you do not know.',
    changesADay: 2.35,
    lines: `${HOLD}; ${UNDER}, else next line; floor, for 24 h then not for 48 h; otherwise: own price`,
  },
  {
    name: 'Warehouse premium',
    summary: 'Like Win and hold. Prices 3% above sellers who ship slower.',
    whenToUse: 'FBA/WFS listings among sellers who ship themselves.',
    changesADay: 1.35,
    lines: `${HOLD}; 4% under the lowest (12% under faster, 3% over slower), else next line; ${END}`,
  },
  {
    name: 'Box winner only',
    summary: 'Prices against the buy box, and climbs slowly while it is yours.',
    whenToUse: 'Walmart, or wherever only the buy box is shown.',
    changesADay: 1.7,
    lines: `alone: target margin; winning: raise 1% every 48 h; 4% under the buy box (12% under faster, 4% under slower), else next line; ${UNDER}, else next line; ${END}`,
  },
  {
    name: 'Match the buy box',
    summary: 'Matches the buy box price, or the lowest competitor.',
    whenToUse: 'Equal sellers with the same shipping. The same price does not win against FBA/WFS offers.',
    changesADay: 0.97,
    lines: `${HOLD}; the buy box; the lowest`,
  },
  {
    name: 'Featured price',
    summary: "Uses Amazon's featured offer expected price.",
    whenToUse: 'Amazon, where the featured offer expected price is read.',
    changesADay: null,
    lines: `${HOLD}; featured price, else next line; ${UNDER}, else next line; otherwise: 10% over own price`,
  },
  {
    name: 'Target margin',
    summary: 'Uses the lowest price that keeps your target margin. Ignores competitors.',
    whenToUse: 'Your own stores on Shopify, Etsy or Michaels. Not for contested listings.',
    changesADay: 0.02,
    lines: 'target margin',
  },
  {
    name: 'Skip the dumper',
    summary: 'Skips competitors that are too low and prices against the next one.',
    whenToUse:
      'A competitor sells below cost, and others do not. While all are too low, your price has a margin of 25%.',
    changesADay: 1.66,
    lines: `${HOLD}; ${UNDER}, else next competitor; otherwise: margin 25%`,
  },
  {
    name: 'A cent below',
    summary: 'Prices a cent below the lowest competitor.',
    whenToUse: 'For comparison. A cent does not win against FBA/WFS offers.',
    changesADay: 1.12,
    lines: 'alone: target margin; $0.01 under the lowest',
  },
  {
    name: 'Night reset',
    summary: 'Goes back up to your own price at night.',
    whenToUse: 'Competitors whose repricers run at night.',
    changesADay: 5.39,
    lines: `alone: target margin; hours 22 to 4: own price, ${UP}; winning: hold; ${UNDER}`,
  },
  {
    name: 'Sell off',
    summary: 'Lowers the price of old stock by 2% a day.',
    whenToUse: 'Aged stock before surcharges. Set a low minimum margin, even 0.',
    changesADay: null,
    lines: `stock age 181 days or more: lower 2% every 24 h; ${HOLD}; ${UNDER}; otherwise: floor`,
  },
  {
    name: 'Last units',
    summary: 'Raises the price by 3% a day while five or fewer units are left.',
    whenToUse: 'Stock that runs out before the next delivery.',
    changesADay: 1.7,
    lines: `stock 5 or less: raise 3% every 24 h up to margin 45%; ${HOLD}; ${UNDER}, else next line; otherwise: target margin`,
  },
  {
    name: 'Follow my Amazon price',
    summary: 'Prices 5% below your Amazon listing.',
    whenToUse: 'Your own store alongside Amazon. Check the pricing rules of the marketplaces.',
    changesADay: null,
    lines: '5% under my amazon price, not under target margin; otherwise: target margin',
  },
] as const satisfies readonly RuleTemplate[];
