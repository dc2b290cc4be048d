import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Service } from './exchange.ts';

/**
 * The folder of the official documents, which are not part of the project; null if it does not exist. A configured
 * folder that is missing fails when it is read.
 */
export function documentsFolder(): string | null {
  const neighbor = resolve(import.meta.dirname, '../../../shared/contracts');
  return process.env.PRICEWRIGHT_CONTRACTS ?? (existsSync(neighbor) ? neighbor : null);
}

/**
 * The documents that apply, in the folder of each service: a call that none of them describes is wrong, even if an
 * older version of the API had it. If two describe a call, the first one applies.
 */
export const DOCUMENT_FILES: Readonly<Record<Exclude<Service, 'shopify'>, readonly string[]>> = {
  amazon: [
    ...['catalogItems_2022-04-01.json', 'feeds_2021-06-30.json', 'finances_2024-06-19.json'],
    'listingsItems_2021-08-01.json',
    ...['notifications.json', 'orders_2026-01-01.json', 'productFeesV0.json', 'productPricingV0.json'],
    ...['productPricing_2022-05-01.json', 'reports_2021-06-30.json', 'sellers.json'],
  ],
  walmart: [
    // The supplement is newer than the others.
    ...['walmart-2026-derived.openapi.yaml', 'auth.json', 'feeds.json', 'insights.json', 'items.json'],
    ...['on-request-reports.json', 'orders.json', 'price.json', 'recon-reports.json', 'notifications.json'],
    'promotions.yaml',
  ],
  ebay: [
    ...['buy_browse_v1_oas3.yaml', 'sell_feed_v1_oas3.json', 'sell_finances_v1_oas3.yaml'],
    ...['sell_fulfillment_v1_oas3.json', 'sell_inventory_v1_oas3.json', 'sell_analytics_v1_oas3.json'],
    ...['developer_analytics_v1_beta_oas3.json', 'commerce_taxonomy_v1_oas3.json'],
    'sell_marketing_v1_oas3.json',
  ],
  etsy: ['etsy-open-api-v3.json'],
  michaels: ['michaels-derived.openapi.yaml'],
  veeqo: ['veeqo-derived.openapi.yaml'],
};

/** All token endpoints in one document, each with the host of its service. */
export const TOKEN_FILE = 'oauth/token-endpoints-derived.openapi.yaml';

/** Shopify has one call and a GraphQL schema. */
export const SHOPIFY = {
  file: 'shopify/admin_2026-10.graphql',
  call: 'POST /admin/api/2026-10/graphql.json',
} as const;
