import { Link } from '@tanstack/react-router';
import { ArrowRight, Ban, CircleCheck, Hand, Minus } from 'lucide-react';
import type { PriceExplanation } from '#contract/explanation.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { formatMoney, formatPercent } from '#web/lib/format.ts';
import { formatMoment } from '#web/lib/moments.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Card } from '#web/ui/card.tsx';
import { MarginText } from '#web/ui/margin-text.tsx';
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
export function OutcomeCard({ explanation }: { explanation: PriceExplanation }): React.JSX.Element {
  const { listing, facts, outcome, sentence, fix, restEndsAt, at, actor } = explanation;
  const { tone, icon, word } = OUTCOMES[outcome];
  return (
    <Card className="divide-y divide-border p-0">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 p-4">
        <div className="min-w-0 flex-1 basis-72">
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <h2 className="text-md font-semibold">{listing.title}</h2>
            <Badge tone={tone} icon={icon}>
              {word}
            </Badge>
          </div>
          <p className="mt-0.5 flex flex-wrap items-center gap-x-2 text-sm text-fg-muted">
            <span className="inline-flex items-center gap-1.5">
              <MarketplaceMark marketplace={listing.marketplace} />
              {MARKETPLACE_NAMES[listing.marketplace]}
            </span>
            <span className="font-mono">{listing.sku}</span>
            <span>{listing.fulfillmentType}</span>
            <MomentText iso={at} />
            {actor !== null && <span>by {actor}</span>}
          </p>
        </div>
        <PriceMove explanation={explanation} />
      </div>
      <div className="flex flex-col gap-2 px-4 py-3">
        <p className="max-w-[90ch]">{sentence}</p>
        {restEndsAt !== null && (
          <p>
            <strong className="font-semibold">Paused until: </strong>
            <time dateTime={restEndsAt}>{formatMoment(restEndsAt, 'short')}</time> or earlier.
          </p>
        )}
        {fix !== null && (
          <p className="max-w-[90ch] rounded-md bg-badge-warning px-3 py-2 text-badge-warning-fg">
            <strong className="font-semibold">To fix it: </strong>
            {fix}
          </p>
        )}
        {facts.gaps.some((gap) => OF_BUNDLES.includes(gap)) && (
          <Link
            to="/bundles"
            search={{ listing: listing.sku }}
            className="w-fit text-link underline underline-offset-2"
          >
            Open {listing.sku} on Bundles
          </Link>
        )}
      </div>
    </Card>
  );
}

/** Old and new price, then what they leave of a sale. */
function PriceMove({ explanation }: { explanation: PriceExplanation }): React.JSX.Element | null {
  const { facts, price, margin, profit } = explanation;
  if (facts.currentPrice === null) return null;
  const isMove = price !== null && price !== facts.currentPrice;
  const [before, after] = [margin.before, isMove ? margin.after : margin.before];
  const [earned, earns] = [profit.before, isMove ? profit.after : profit.before];
  return (
    <dl className="flex flex-wrap items-end gap-x-4 gap-y-2">
      <div>
        <dt className="text-sm text-fg-muted">{isMove ? 'Before' : 'Price'}</dt>
        <dd className={isMove ? 'text-xl font-medium text-fg-muted' : 'text-3xl font-semibold'}>
          {formatMoney(facts.currentPrice)}
        </dd>
      </div>
      {isMove && (
        <>
          <ArrowRight aria-hidden className="mb-2 size-4 text-fg-muted" />
          <div>
            <dt className="text-sm text-fg-muted">After</dt>
            <dd className="text-3xl font-semibold">{formatMoney(price)}</dd>
          </div>
        </>
      )}
      {after !== null && (
        <div className="border-l pb-1.5 pl-4">
          <dt className="text-sm text-fg-muted">Margin</dt>
          <dd className="font-medium whitespace-nowrap">
            {isMove && before !== null && `${formatPercent(before)} to `}
            <MarginText percent={after} />
          </dd>
        </div>
      )}
      {earns !== null && (
        <div className="border-l pb-1.5 pl-4">
          <dt className="text-sm text-fg-muted">Profit of one sale</dt>
          <dd className="font-medium whitespace-nowrap">
            {isMove && earned !== null && `${formatMoney(earned)} to `}
            {formatMoney(earns)}
          </dd>
        </div>
      )}
    </dl>
  );
}
