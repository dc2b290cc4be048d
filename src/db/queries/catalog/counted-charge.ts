import { WITH_WAREHOUSE } from '#domain/sales/sale-fees.ts';

const THEIR_WAREHOUSES = [...WITH_WAREHOUSE].map((marketplace) => `'${marketplace}'`).join(', ');

/**
 * What of its shipping charge a listing earns, as SQL: nothing where the marketplace's own warehouse sends the item, since the
 * marketplace keeps what its buyers pay for shipping. The charge may be from before the warehouse had it.
 * @param listing the name of its row of `listings`
 */
export function countedCharge(listing = 'l'): string {
  return `(CASE WHEN ${listing}.fulfillment_type <> 'FBM' AND ${listing}.marketplace IN (${THEIR_WAREHOUSES}) THEN 0
    ELSE ${listing}.shipping_charge END)`;
}
