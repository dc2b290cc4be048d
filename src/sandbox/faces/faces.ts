import { amazonFace } from './amazon/amazon.ts';
import { ebayFace } from './ebay/ebay.ts';
import { etsyFace } from './etsy/etsy.ts';
import type { FaceMaker } from './face.ts';
import { shopifyFace } from './shopify/shopify.ts';
import { walmartFace } from './walmart/walmart.ts';

/** Every face that the sandbox has. */
export const FACES: readonly FaceMaker[] = [amazonFace, walmartFace, ebayFace, etsyFace, shopifyFace];
