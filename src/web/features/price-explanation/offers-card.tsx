import { Check, Minus } from 'lucide-react';
import type { z } from 'zod';
import type { ExplainedOffer, PriceExplanation } from '#contract/explanation.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { classNames } from '#web/lib/class-names.ts';
import { formatMoney } from '#web/lib/format.ts';
import { MomentText } from '#web/ui/moment-text.tsx';
import { NotAvailable } from '#web/ui/not-available.tsx';
import { Cell, HeadCell, PlainTable } from '#web/ui/plain-table.tsx';
import { Section } from './section.tsx';

type Offer = z.output<typeof ExplainedOffer>;

/** Every known offer, cheapest first, and whether it counted or why not. */
export function OffersCard({ offers, listing, competition }: PriceExplanation): React.JSX.Element {
  const rows = offers
    .map((offer, place) => ({ offer, place }))
    .sort((a, b) => Number(a.offer.landed) - Number(b.offer.landed) || a.place - b.place);
  const hasWants = offers.some(({ want }) => want !== null);
  const counted = offers.filter(({ status }) => status === 'counted').length;
  return (
    <Section title="Offers">
      {competition !== null && <p className="mb-2">{competition.text}</p>}
      {rows.length === 0 ? (
        <p className="text-fg-muted">No offers found for this item.</p>
      ) : (
        <>
          <p className="mb-2 text-fg-muted">
            {counted} of {rows.length} counted. Prices are compared with shipping included.
          </p>
          <PlainTable caption="Offers and whether they count" isBare className="-mx-4 -mb-4">
            <thead>
              <tr>
                <HeadCell>Seller</HeadCell>
                <HeadCell numeric>Price</HeadCell>
                <HeadCell numeric>Shipping</HeadCell>
                <HeadCell numeric>Landed</HeadCell>
                {hasWants && <HeadCell numeric>Line asks</HeadCell>}
                <HeadCell>Seen</HeadCell>
                <HeadCell>Used</HeadCell>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ offer, place }) => (
                <OfferRow key={place} offer={offer} marketplace={listing.marketplace} hasWants={hasWants} />
              ))}
            </tbody>
          </PlainTable>
        </>
      )}
    </Section>
  );
}

type OfferRowProps = {
  offer: Offer;
  marketplace: Offer['channel'];
  /** The line that decided asks for a price against at least one of the offers. */
  hasWants: boolean;
};

function OfferRow({ offer, marketplace, hasWants }: OfferRowProps): React.JSX.Element {
  const isCounted = offer.status === 'counted';
  const Mark = isCounted ? Check : Minus;
  const details = [
    offer.fulfillmentType,
    offer.isFeatured ? 'featured offer' : null,
    offer.channel === marketplace ? null : `on ${MARKETPLACE_NAMES[offer.channel]}`,
  ].filter((detail) => detail !== null);
  return (
    <tr className={classNames(!isCounted && 'text-fg-muted')}>
      <Cell>
        <span className="font-medium">{offer.seller ?? 'Seller unknown'}</span>
        {details.length > 0 && <span className="block text-sm text-fg-muted">{details.join(', ')}</span>}
      </Cell>
      <Cell numeric>{formatMoney(offer.price)}</Cell>
      <Cell numeric>{formatMoney(offer.shipping)}</Cell>
      <Cell numeric className="font-semibold">
        {formatMoney(offer.landed)}
      </Cell>
      {hasWants && <Cell numeric>{offer.want === null ? '' : formatMoney(offer.want)}</Cell>}
      <Cell>{offer.seenAt === null ? <NotAvailable /> : <MomentText iso={offer.seenAt} />}</Cell>
      <Cell className="min-w-56">
        <span className="flex items-start gap-1.5">
          <Mark
            aria-hidden
            className={classNames('mt-0.5 size-4 shrink-0', isCounted && 'text-success-text')}
          />
          {offer.statusText}
        </span>
      </Cell>
    </tr>
  );
}
