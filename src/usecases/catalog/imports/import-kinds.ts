import type { ImportKind } from '#contract/imports.ts';
import type { StoredFindings } from '#db/schema/imports.ts';
import { BUNDLE_IMPORT } from './import-bundles.ts';
import { FEE_IMPORT } from './import-fees.ts';
import { LISTING_IMPORT } from './import-listings.ts';
import { OFFER_IMPORT } from './import-offers.ts';
import { RULE_IMPORT } from './import-rules.ts';
import { SKU_IMPORT } from './import-skus.ts';
import { TIER_IMPORT } from './import-tiers.ts';
import type { Pass } from './pass.ts';
import { runPass } from './run-pass.ts';

/** How each kind of file is checked and imported. */
export const IMPORTERS: Readonly<Record<ImportKind, (pass: Pass) => Promise<StoredFindings>>> = {
  skus: (pass) => runPass(SKU_IMPORT, pass),
  listings: (pass) => runPass(LISTING_IMPORT, pass),
  bundles: (pass) => runPass(BUNDLE_IMPORT, pass),
  tiers: (pass) => runPass(TIER_IMPORT, pass),
  rules: (pass) => runPass(RULE_IMPORT, pass),
  offers: (pass) => runPass(OFFER_IMPORT, pass),
  fees: (pass) => runPass(FEE_IMPORT, pass),
};
