import type { PriceExplanation } from '#contract/explanation.ts';
import { formatMoney, formatPercent } from '#web/lib/format.ts';
import type { WaterfallBar } from '#web/ui/chart/waterfall.tsx';

const COST_NAMES = {
  product: 'Product',
  shipping: 'Shipping',
  fulfillment: 'Fulfillment',
  packaging: 'Packaging',
  misc: 'Misc',
} as const;

/**
 * One sale at the decided price, else at the old one: from what the buyer pays down to the profit. Costs of zero are skipped.
 * Null when a price, a cost or the fees are unknown: a bar of unknown length cannot be drawn.
 */
export function saleWaterfall({
  facts,
  price,
  profit,
  margin,
}: PriceExplanation): readonly WaterfallBar[] | null {
  const isDecided = price !== null;
  const charged = isDecided ? price : facts.currentPrice;
  const earned = isDecided ? profit.after : profit.before;
  const share = isDecided ? margin.after : margin.before;
  if (charged === null || earned === null || facts.totalCost === null || facts.shippingCharge === null) {
    return null;
  }
  const shipping = cents(facts.shippingCharge);
  const revenue = cents(charged) + shipping;
  const kept = cents(earned);
  const costs = facts.cost.flatMap(({ part, amount }) =>
    amount === null || cents(amount) === 0
      ? []
      : [{ key: part, label: COST_NAMES[part], amount: cents(amount) }],
  );
  const fees = revenue - cents(facts.totalCost) - kept;
  const taken = [
    { key: 'fees', label: 'Fees', amount: fees, note: shareText(fees, revenue) },
    ...costs,
  ].filter(({ amount }) => amount !== 0);
  const bars: WaterfallBar[] = [
    {
      key: 'revenue',
      label: shipping === 0 ? 'Price' : 'Price + shipping',
      from: 0,
      to: revenue,
      text: money(revenue),
      tone: 'own',
    },
  ];
  let left = revenue;
  for (const { amount, ...bar } of taken) {
    bars.push({ ...bar, from: left, to: left - amount, text: money(-amount), tone: 'neutral' });
    left -= amount;
  }
  bars.push({
    key: 'profit',
    label: kept < 0 ? 'Loss' : 'Profit',
    from: 0,
    to: kept,
    text: money(kept),
    tone: kept < 0 ? 'danger' : 'success',
    ...(share === null ? {} : { note: formatPercent(share) }),
  });
  return bars;
}

/** The finding: "Of $38.49, $11.38 stays". */
export function waterfallFinding(bars: readonly WaterfallBar[]): string {
  const [revenue, profit] = [bars[0]?.to ?? 0, bars.at(-1)?.to ?? 0];
  if (profit < 0) return `A sale at ${money(revenue)} loses ${money(-profit)}`;
  return `Of ${money(revenue)}, ${money(profit)} stays`;
}

function cents(amount: string): number {
  return Math.round(100 * Number(amount));
}

function money(amount: number): string {
  return formatMoney((amount / 100).toFixed(2));
}

function shareText(part: number, whole: number): string {
  return formatPercent(((100 * part) / whole).toFixed(1));
}
