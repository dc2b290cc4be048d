import { TriangleAlert } from 'lucide-react';
import type { OnMarketplace } from '#contract/listing-analytics.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { formatMoney } from '#web/lib/format.ts';
import { Badge } from '#web/ui/badge.tsx';

type BestOfferNoteProps = {
  data: NonNullable<NonNullable<OnMarketplace>['bestOffer']>;
  marketplace: Marketplace;
};

/** From which price on offers of buyers are accepted automatically, and whether that is too low. */
export function BestOfferNote({
  data: { autoAcceptPrice, lowestAllowedPrice, isTooLow, raiseRefusal },
  marketplace,
}: BestOfferNoteProps): React.JSX.Element {
  return (
    <p className="mt-1.5 flex flex-wrap items-center gap-x-2 gap-y-0.5 text-sm text-fg-muted">
      <span className="tabular-nums">
        {MARKETPLACE_NAMES[marketplace]} accepts Best Offers from {formatMoney(autoAcceptPrice)} on
      </span>
      {isTooLow === true && lowestAllowedPrice !== null && (
        <Badge tone="warning" icon={TriangleAlert}>
          Your lowest allowed price is {formatMoney(lowestAllowedPrice)}
        </Badge>
      )}
      {isTooLow === true && raiseRefusal !== null && (
        <span>Pricewright could not raise it: {raiseRefusal}</span>
      )}
    </p>
  );
}
