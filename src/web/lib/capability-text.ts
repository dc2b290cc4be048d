import { CAPABILITIES } from '#domain/connections/marketplace-capabilities.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';

const COMPETITORS = {
  offers: 'shows the offers for an item',
  buy_box: 'shows the buy box and the lowest price it knows on other sites',
  search: 'shows similar items, which may be different products',
  none: 'does not share competitor offers',
} as const;

const PUBLISHING = {
  immediate: 'New prices appear at once',
  delayed: 'New prices appear within minutes',
} as const;

const FEES = {
  before_sale: 'fees are known before a sale',
  after_sale: 'fees are known after a sale',
  none: 'fees come from your fee schedule',
} as const;

/** What a marketplace's API allows, in two sentences. */
export function capabilityText(marketplace: Marketplace): string {
  const { competitors, publishing, fees } = CAPABILITIES[marketplace];
  return `${MARKETPLACE_NAMES[marketplace]} ${COMPETITORS[competitors]}. ${PUBLISHING[publishing]}; ${FEES[fees]}.`;
}
