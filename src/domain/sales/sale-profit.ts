import { type Bps, type Cents, MAX_CENTS, WHOLE } from '#domain/units.ts';

/** The parts of what one order line earned, for all its units. Null is unknown. */
export interface SaleParts {
  /** From 1. */
  readonly quantity: number;
  /** What the buyer paid for the units, less discounts, without tax. */
  readonly revenue: Cents;
  /** What the buyer paid for shipping. */
  readonly shippingRevenue: Cents | null;
  /** Everything that the marketplace charges, with the fulfillment fee. */
  readonly fees: Cents | null;
  /** Product, packaging and misc cost of one unit at the sale. */
  readonly unitCost: Cents | null;
  /** What shipping one unit cost us at the sale. */
  readonly unitShippingCost: Cents | null;
  /** What the marketplace reported beyond that; without it nothing. */
  readonly told?: {
    /** Received beyond what the order reported. */
    readonly adjustment: Cents;
    readonly ads: Cents | null;
    /** What the parcel cost; null where no label was reported. */
    readonly label: Cents | null;
    /** What returns and claims cost, less what came back. */
    readonly refunds: Cents;
  };
}

/** The figures of one order line. Null is unknown: a part that is missing leaves the profit unknown. */
export interface SaleFigures {
  readonly shippingCost: Cents | null;
  /** Costs of the goods and of shipping them, without the marketplace's fees. */
  readonly totalCost: Cents | null;
  readonly profit: Cents | null;
  /** Of one unit, half away from zero. */
  readonly profitPerUnit: Cents | null;
}

export function saleFigures(parts: SaleParts): SaleFigures {
  const { quantity, revenue, shippingRevenue, fees, unitCost, unitShippingCost, told } = parts;
  const byTier = unitShippingCost === null ? null : amount(unitShippingCost * quantity);
  const shippingCost = told?.label ?? byTier;
  const totalCost =
    unitCost === null || shippingCost === null ? null : amount(unitCost * quantity + shippingCost);
  const further = (told?.adjustment ?? 0) - (told?.ads ?? 0) - (told?.refunds ?? 0);
  const profit =
    shippingRevenue === null || fees === null || totalCost === null
      ? null
      : amount(revenue + shippingRevenue - fees - totalCost + further);
  const perUnit = profit === null ? null : Math.round(Math.abs(profit) / quantity) * Math.sign(profit);
  return { shippingCost, totalCost, profit, profitPerUnit: perUnit === null ? null : amount(perUnit) };
}

/**
 * Profit over revenue with shipping.
 * @returns whole basis points, rounded down; null without a revenue
 */
export function saleMargin(profit: Cents, revenue: Cents): Bps | null {
  return revenue > 0 ? (Math.floor((profit * WHOLE) / revenue) as Bps) : null;
}

/** Null for an amount that no column holds. */
function amount(value: number): Cents | null {
  return Math.abs(value) <= MAX_CENTS ? ((value + 0) as Cents) : null;
}
