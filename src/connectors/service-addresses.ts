import type { Marketplace } from '#domain/marketplaces.ts';

/** Services that keys are sent to: the marketplaces and the inventory provider. */
type Service = Marketplace | 'veeqo';

/**
 * Where each service answers, and the variable that leads to another place for tests. Connectors know further hosts of
 * theirs (another region, the shop's own): they use those as long as they are not led elsewhere.
 */
export const SERVICE_ADDRESSES = {
  walmart: { variable: 'PRICEWRIGHT_WALMART_URL', real: 'https://marketplace.walmartapis.com' },
  amazon: { variable: 'PRICEWRIGHT_AMAZON_URL', real: 'https://sellingpartnerapi-na.amazon.com' },
  michaels: { variable: 'PRICEWRIGHT_MICHAELS_URL', real: 'https://www.michaels.com' },
  ebay: { variable: 'PRICEWRIGHT_EBAY_URL', real: 'https://api.ebay.com' },
  etsy: { variable: 'PRICEWRIGHT_ETSY_URL', real: 'https://api.etsy.com' },
  shopify: { variable: 'PRICEWRIGHT_SHOPIFY_URL', real: 'https://myshopify.com' },
  veeqo: { variable: 'PRICEWRIGHT_VEEQO_URL', real: 'https://api.veeqo.com' },
} as const satisfies Record<Service, { readonly variable: string; readonly real: string }>;

/** Base addresses by service, without a slash at the end. */
export type ServiceAddresses = Readonly<Record<Service, string>>;

/** Variables of the services that are led somewhere else than to themselves. */
export function testAddressVariables(addresses: ServiceAddresses): string[] {
  return Object.entries(SERVICE_ADDRESSES).flatMap(([service, { variable, real }]) =>
    addresses[service as Service] === real ? [] : [variable],
  );
}
