import type { PriceOrder, SendOutcome } from '#connectors/connector.ts';

/**
 * A SKU has one price: of several listings with the same one only the first is sent.
 * @param outcomes receives the outcomes of the others, by listing
 */
export function oneOrderPerSku(
  orders: readonly PriceOrder[],
  outcomes: Map<number, SendOutcome>,
): readonly PriceOrder[] {
  const seen = new Set<string>();
  return orders.filter(({ ref: { sku, listingId } }) => {
    if (!seen.has(sku)) return seen.add(sku);
    const message = 'Another listing with the same SKU was sent at the same time.';
    outcomes.set(listingId, { listingId, kind: 'not_sent', message, retryAfter: null });
    return false;
  });
}

/** The request was sent, and its response has nothing about this listing: the price may have been applied. */
export function unknownOutcome(name: string, listingId: number): SendOutcome {
  return { listingId, kind: 'unknown', message: `${name} did not report a result for the price.` };
}

/**
 * One outcome for each order, in their order; unknown for those that have none.
 * @param name the service in messages
 * @param outcomes by listing
 */
export function outcomesInOrder(
  name: string,
  orders: readonly PriceOrder[],
  outcomes: ReadonlyMap<number, SendOutcome>,
): SendOutcome[] {
  return orders.map(({ ref: { listingId } }) => outcomes.get(listingId) ?? unknownOutcome(name, listingId));
}
