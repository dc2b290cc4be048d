import { CAPABILITIES } from '#domain/marketplace-capabilities.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';

const RIVALS = {
  offers: 'shows every offer for an item',
  buy_box: 'shows the buy box and what it knows of the lowest price elsewhere',
  search: 'shows similar items in a search, which may be other goods',
  none: 'shows no offers of others',
} as const;

const LIVE = {
  at_once: 'A price that is sent is live at once',
  later: 'A price that is sent is live some minutes later',
} as const;

const FEES = {
  before_sale: 'fees are known before a sale',
  after_sale: 'fees are known with the sale',
  none: 'fees are those of your fee table',
} as const;

/** What a marketplace lets us read and do, in two sentences. */
export function abilityWords(marketplace: Marketplace): string {
  const { rivals, live, fees } = CAPABILITIES[marketplace];
  return `${MARKETPLACE_NAMES[marketplace]} ${RIVALS[rivals]}. ${LIVE[live]}; ${FEES[fees]}.`;
}
