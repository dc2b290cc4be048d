import type { FaceName } from '#sandbox/faults/fault.ts';
import type { FaceMaker } from './adapter.ts';
import { amazonFace } from './amazon/amazon.ts';
import { ebayFace } from './ebay/ebay.ts';
import { etsyFace } from './etsy/etsy.ts';
import { michaelsFace } from './michaels/michaels.ts';
import { shopifyFace } from './shopify/shopify.ts';
import { veeqoFace } from './veeqo/veeqo.ts';
import { walmartFace } from './walmart/walmart.ts';

/** Every face that the sandbox has. */
export const FACES: Readonly<Record<FaceName, FaceMaker>> = {
  amazon: amazonFace,
  walmart: walmartFace,
  ebay: ebayFace,
  etsy: etsyFace,
  shopify: shopifyFace,
  michaels: michaelsFace,
  veeqo: veeqoFace,
};
