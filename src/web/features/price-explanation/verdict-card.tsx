import { Link } from '@tanstack/react-router';
import { ArrowRight, Ban, CircleCheck, Hand, Minus } from 'lucide-react';
import type { PriceExplanation } from '#contract/explanation.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { formatMoney, formatPercent } from '#web/lib/format.ts';
import { formatMoment } from '#web/lib/moments.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Card } from '#web/ui/card.tsx';
import { MarketplaceMark } from '#web/ui/marketplace-mark.tsx';
import { MomentText } from '#web/ui/moment-text.tsx';

const OUTCOMES = {
  change: { tone: 'success', icon: CircleCheck, word: 'Changed' },
  keep: { tone: 'neutral', icon: Minus, word: 'Kept' },
  recommend: { tone: 'info', icon: Hand, word: 'Recommended' },
  blocked: { tone: 'danger', icon: Ban, word: 'No price' },
} as const;

/** A link to the fix. */
const OF_BUNDLES = ['bundle_unconfirmed', 'no_component', 'bundle_in_bundle'];

/** The result first: the listing, what happened to its price, and the reason. */
export function VerdictCard({ explanation }: { explanation: PriceExplanation }): React.JSX.Element {
  const { listing, facts, outcome, sentence, fix, restEndsAt, at, actor } = explanation;
  const { tone, icon, word } = OUTCOMES[outcome];
  return (
    <Card className="flex flex-col gap-4 p-4 md:p-6">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <p className="font-semibold">{listing.title}</p>
          <p className="mt-0.5 flex flex-wrap items-center gap-1.5 text-sm text-fg-muted">
            <MarketplaceMark marketplace={listing.marketplace} />
            {MARKETPLACE_NAMES[listing.marketplace]} {listing.fulfillmentType}
            <span className="font-mono">{listing.sku}</span>
          </p>
        </div>
        <p className="flex items-center gap-2 text-sm text-fg-muted">
          <Badge tone={tone} icon={icon}>
            {word}
          </Badge>
          <MomentText iso={at} />
          {actor !== null && <span>by {actor}</span>}
        </p>
      </div>
      <PriceMove explanation={explanation} />
      <p className="max-w-[70ch] text-lg">{sentence}</p>
      {restEndsAt !== null && (
        <p>
          <strong className="font-semibold">Paused until: </strong>
          <time dateTime={restEndsAt}>{formatMoment(restEndsAt, 'short')}</time> or earlier.
        </p>
      )}
      {fix !== null && (
        <p className="max-w-[70ch] rounded-md bg-badge-warning px-3 py-2 text-badge-warning-fg">
          <strong className="font-semibold">To fix it: </strong>
          {fix}
        </p>
      )}
      <p className="flex flex-wrap gap-x-4 gap-y-1">
        {facts.gaps.some((gap) => OF_BUNDLES.includes(gap)) && (
          <Link
            to="/bundles"
            search={{ listing: listing.sku }}
            className="text-link underline underline-offset-2"
          >
            Open {listing.sku} on Bundles
          </Link>
        )}
        <Link
          to="/history"
          search={{ listing: listing.id }}
          className="text-link underline underline-offset-2"
        >
          Price history of this listing
        </Link>
        <Link to="/listings" search={{ q: listing.sku }} className="text-link underline underline-offset-2">
          Show in Listings
        </Link>
      </p>
    </Card>
  );
}

function PriceMove({ explanation }: { explanation: PriceExplanation }): React.JSX.Element | null {
  const { facts, price, margin } = explanation;
  if (facts.currentPrice === null) return null;
  const isMove = price !== null && price !== facts.currentPrice;
  return (
    <dl className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Figure name={isMove ? 'Before' : 'Price'} price={facts.currentPrice} margin={margin.before} />
      {isMove && (
        <>
          <ArrowRight aria-hidden className="size-5 text-fg-muted" />
          <Figure name="After" price={price} margin={margin.after} />
        </>
      )}
    </dl>
  );
}

type FigureProps = { name: string; price: string; margin: string | null };

function Figure({ name, price, margin }: FigureProps): React.JSX.Element {
  return (
    <div>
      <dt className="text-sm text-fg-muted">{name}</dt>
      <dd className="text-2xl font-semibold tabular-nums">
        {formatMoney(price)}
        {margin !== null && (
          <span className="ml-2 text-base font-normal text-fg-muted">{formatPercent(margin)} margin</span>
        )}
      </dd>
    </div>
  );
}
