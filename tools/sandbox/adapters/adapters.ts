import type { ServiceName } from '#sandbox/faults/fault.ts';
import type { AdapterFactory } from './adapter.ts';
import { amazonAdapter } from './amazon/amazon.ts';
import { ebayAdapter } from './ebay/ebay.ts';
import { etsyAdapter } from './etsy/etsy.ts';
import { michaelsAdapter } from './michaels/michaels.ts';
import { shopifyAdapter } from './shopify/shopify.ts';
import { veeqoAdapter } from './veeqo/veeqo.ts';
import { walmartAdapter } from './walmart/walmart.ts';

export const ADAPTERS: Readonly<Record<ServiceName, AdapterFactory>> = {
  amazon: amazonAdapter,
  walmart: walmartAdapter,
  ebay: ebayAdapter,
  etsy: etsyAdapter,
  shopify: shopifyAdapter,
  michaels: michaelsAdapter,
  veeqo: veeqoAdapter,
};
