import type { PreviewedListing } from '#contract/rules.ts';
import { decimalFromCents, decimalFromMargin } from '#domain/decimal.ts';
import { explain } from '#domain/decision/explain.ts';
import type { Bps } from '#domain/units.ts';
import { marginAt } from '#usecases/repricing/pricing/metrics-of.ts';
import type { DecidedCase } from '#usecases/repricing/pricing/record-decisions.ts';

/** A decided listing with its old and new price and margin, and why. */
export function previewedListing({ pricingInput, decision }: DecidedCase): PreviewedListing {
  const { listing, facts, choice, policy } = pricingInput;
  const { sentence, fix } = explain(facts, choice, policy);
  return {
    listingId: String(listing.id),
    marketplace: listing.marketplace,
    sku: listing.sku,
    title: listing.title,
    outcome: decision.kind,
    oldPrice: decimalFromCents(listing.currentPrice),
    newPrice: decision.price === null ? null : decimalFromCents(decision.price),
    marginBefore: marginText(marginAt(listing.currentPrice, facts)),
    marginAfter: marginText(marginAt(decision.price, facts)),
    line: decision.line === null || decision.line.number === 0 ? null : decision.line.number,
    sentence: fix === null ? sentence : `${sentence} ${fix}`,
  };
}

const marginText = (share: Bps | null): string | null => (share === null ? null : decimalFromMargin(share));
