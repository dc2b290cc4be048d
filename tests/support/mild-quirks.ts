import { MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import type { QuirkPlan } from '#sandbox/world/quirks.ts';

const MILD: QuirkPlan = {
  lag: { list: [0, 120], document: [0, 600], event: [0, 60], box: [30, 300] },
  told: { twice: 0.2 },
  emptyStatus: { getAllItems: 404, getPricingInsights: 404, getCatalogSearch: 400, getAllOrders: 404 },
};

/** Small doses of what real marketplaces do, for tests that have to work nevertheless. */
export const MILD_QUIRKS: Readonly<Record<Marketplace, QuirkPlan>> = Object.fromEntries(
  MARKETPLACES.map((marketplace) => [marketplace, MILD]),
) as Record<Marketplace, QuirkPlan>;
