import type { Chance } from '#sandbox/world/chance.ts';

/** A buyer's place and its sales tax in basis points, state and local together. */
export interface BuyerPlace {
  readonly state: string;
  readonly city: string;
  readonly postalCode: string;
  readonly taxRate: number;
}

const PLACES: readonly BuyerPlace[] = [
  { state: 'IL', city: 'Springfield', postalCode: '62701', taxRate: 975 },
  { state: 'CA', city: 'Fresno', postalCode: '93701', taxRate: 835 },
  { state: 'TX', city: 'Waco', postalCode: '76701', taxRate: 825 },
  { state: 'FL', city: 'Ocala', postalCode: '34470', taxRate: 700 },
  { state: 'NY', city: 'Albany', postalCode: '12207', taxRate: 800 },
  { state: 'PA', city: 'Erie', postalCode: '16501', taxRate: 600 },
  { state: 'WA', city: 'Yakima', postalCode: '98901', taxRate: 830 },
  { state: 'CO', city: 'Pueblo', postalCode: '81003', taxRate: 760 },
  { state: 'OR', city: 'Salem', postalCode: '97301', taxRate: 0 },
];

export function drawPlace(chance: Chance): BuyerPlace {
  return chance.pick(PLACES);
}

/** Cents of sales tax, half up. */
export function salesTaxOn(amount: number, { taxRate }: BuyerPlace): number {
  return Math.floor((amount * taxRate + 5_000) / 10_000);
}
