import { useQuery } from '@tanstack/react-query';
import { EyeOff, Search, SearchX } from 'lucide-react';
import type { OnMarketplace } from '#contract/listing-analytics.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { countOf, formatMoney } from '#web/lib/format.ts';
import { READING_SOURCE_LABELS } from '#web/lib/reading-source-labels.ts';
import { Badge } from '#web/ui/badge.tsx';
import { MomentText } from '#web/ui/moment-text.tsx';
import { BestOfferNote } from './best-offer-note.tsx';
import { BusinessPricesNote } from './business-prices-note.tsx';
import { onMarketplaceQuery } from './queries.ts';

type OnMarketplaceNoteProps = { id: string; marketplace: Marketplace };

/**
 * "Not for sale on eBay · 5 in stock there, 12 min ago", or since when it is missing, and another price that is being
 * checked; nothing without any data. Best Offers and prices for business buyers are next to it.
 */
export function OnMarketplaceNote({ id, marketplace }: OnMarketplaceNoteProps): React.JSX.Element | null {
  const { data } = useQuery(onMarketplaceQuery(id));
  if (data == null) return null;
  return (
    <>
      <StatusLine data={data} marketplace={marketplace} />
      {data.checkedPrice !== null && (
        <p className={LINE}>
          <Badge tone="info" icon={Search}>
            {MARKETPLACE_NAMES[marketplace]}'s {READING_SOURCE_LABELS[data.checkedPrice.source]} shows{' '}
            <span className="tabular-nums">{formatMoney(data.checkedPrice.price)}</span>
          </Badge>
          <span>
            checking since <MomentText iso={data.checkedPrice.since} />
          </span>
        </p>
      )}
      {data.bestOffer !== null && <BestOfferNote data={data.bestOffer} marketplace={marketplace} />}
      {data.businessPrices !== null && (
        <BusinessPricesNote data={data.businessPrices} marketplace={marketplace} />
      )}
    </>
  );
}

type StatusLineProps = { data: NonNullable<OnMarketplace>; marketplace: Marketplace };

function StatusLine({ data, marketplace }: StatusLineProps): React.JSX.Element | null {
  if (data.isForSale && data.quantity === null) return null;
  if (data.missingSince !== null) {
    return (
      <p className={LINE}>
        <Badge tone="warning" icon={SearchX}>
          Not found on {MARKETPLACE_NAMES[marketplace]}
        </Badge>
        <span>
          since <MomentText iso={data.missingSince} />. Not repriced.
        </span>
      </p>
    );
  }
  return (
    <p className={LINE}>
      {!data.isForSale && (
        <Badge tone="warning" icon={EyeOff}>
          Not for sale on {MARKETPLACE_NAMES[marketplace]}
        </Badge>
      )}
      <span>
        {data.quantity === null ? 'as of' : `${countOf(data.quantity, 'unit', 'units')} in stock there,`}{' '}
        <MomentText iso={data.seenAt} />
      </span>
    </p>
  );
}

const LINE = 'mt-1.5 flex flex-wrap items-center gap-x-2 gap-y-0.5 text-sm text-fg-muted';
