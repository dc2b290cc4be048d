import type { RulePreview } from '#contract/rules.ts';
import { costWithoutFees } from '#domain/costs/cost-without-fees.ts';
import { profitOf } from '#domain/costs/profit.ts';
import { decimalFromCents, decimalFromMargin } from '#domain/decimal.ts';
import { type Bps, type Cents, WHOLE } from '#domain/units.ts';
import type { DecidedCase } from '#usecases/repricing/pricing/record-decisions.ts';

interface Sums {
  price: number;
  revenue: number;
  profit: number;
}

/** Sums of a preview, as if each listing sold once at its old price and once at its new one. In cents. */
export class PreviewAverages {
  #listings = 0;
  readonly #before: Sums = { price: 0, revenue: 0, profit: 0 };
  readonly #after: Sums = { price: 0, revenue: 0, profit: 0 };

  /** Leaves out a listing whose profit is not known at both prices. */
  add({ pricingInput: { listing, facts }, decision }: DecidedCase): void {
    const { shippingCharge, fees } = facts;
    const totalCost = costWithoutFees(facts);
    if (decision.price === null || shippingCharge === null || totalCost === null || fees === null) return;
    const [before, after] = [listing.currentPrice, decision.price].map((price) =>
      profitOf(price as Cents, shippingCharge, totalCost, fees),
    );
    if (before == null || after == null) return;
    this.#listings += 1;
    addTo(this.#before, listing.currentPrice, shippingCharge, before);
    addTo(this.#after, decision.price, shippingCharge, after);
  }

  /** Null without a listing, and where no margin can be calculated. */
  result(): RulePreview['averages'] {
    const [marginBefore, marginAfter] = [marginIn(this.#before), marginIn(this.#after)];
    if (this.#listings === 0 || marginBefore === null || marginAfter === null) return null;
    return {
      listings: this.#listings,
      oldPrice: this.#average(this.#before),
      newPrice: this.#average(this.#after),
      marginBefore: decimalFromMargin(marginBefore),
      marginAfter: decimalFromMargin(marginAfter),
    };
  }

  /** Rounded to the nearest cent: no price is decided by it. */
  #average({ price }: Sums): string {
    return decimalFromCents(Math.round(price / this.#listings) as Cents);
  }
}

function addTo(sums: Sums, price: number, shippingCharge: number, profit: number): void {
  sums.price += price;
  sums.revenue += price + shippingCharge;
  sums.profit += profit;
}

/** Rounded down, as every margin. */
function marginIn({ revenue, profit }: Sums): Bps | null {
  const margin = Math.floor((profit * WHOLE) / revenue);
  return revenue > 0 && Number.isFinite(margin) ? (margin as Bps) : null;
}
