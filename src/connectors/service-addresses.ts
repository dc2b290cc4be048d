import type { Marketplace } from '#domain/marketplaces.ts';

/** Services that receive credentials: the marketplaces and the inventory provider. */
type Service = Marketplace | 'veeqo';

/**
 * The address of each service, and the variable that replaces it for tests. Connectors have further hosts of their
 * own (another region, the store's own): they use those unless the address is replaced.
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

/** Base addresses by service, without a trailing slash. */
export type ServiceAddresses = Readonly<Record<Service, string>>;

/** Variables of the services whose address is replaced. */
export function testAddressVariables(addresses: ServiceAddresses): string[] {
  return Object.entries(SERVICE_ADDRESSES).flatMap(([service, { variable, real }]) =>
    addresses[service as Service] === real ? [] : [variable],
  );
}
