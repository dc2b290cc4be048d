import { Briefcase, TriangleAlert } from 'lucide-react';
import type { OnMarketplace } from '#contract/listing-analytics.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { formatCount, formatMoney, formatPercent } from '#web/lib/format.ts';
import { Badge } from '#web/ui/badge.tsx';
import { MomentText } from '#web/ui/moment-text.tsx';

type BusinessPrices = NonNullable<NonNullable<OnMarketplace>['businessPrices']>;
type UnitPrice = BusinessPrices['prices'][number];

/** The prices for business buyers with their margins, and what is wrong with them. */
export function BusinessPricesNote({
  data: { prices, minimumMargin, isHidden, isFollowing, stopped, skipped },
  marketplace,
}: {
  data: BusinessPrices;
  marketplace: Marketplace;
}): React.JSX.Element {
  const name = MARKETPLACE_NAMES[marketplace];
  const business = prices.find(({ from }) => from === 1);
  return (
    <section aria-label="Business prices" className="mt-1.5 text-sm text-fg-muted">
      <p className="flex items-center gap-1.5">
        <Briefcase aria-hidden className="size-4" />
        Business prices on {name},{' '}
        {isFollowing && stopped === null ? 'following your price' : 'not changed by repricing'}:
      </p>
      <ul className="mt-1 grid gap-1">
        {prices.map((price) => (
          <li key={price.from} className="flex flex-wrap items-center gap-x-2">
            <span className="tabular-nums">{priceText(price)}</span>
            {price.isTooLow === true && (
              <Badge tone="warning" icon={TriangleAlert}>
                Your minimum is {formatPercent(minimumMargin)}
              </Badge>
            )}
          </li>
        ))}
      </ul>
      {stopped !== null && <StoppedLine name={name} {...stopped} />}
      {skipped.length > 0 && (
        <p className="mt-1">
          Not sent with the last price, because the price is not lower than for smaller quantities:{' '}
          {skipped.map((from) => `${formatCount(from)} or more`).join(', ')}.
        </p>
      )}
      {isHidden && business !== undefined && (
        <p className="mt-1">
          Your price is below the business price of {formatMoney(business.price)}: {name} does not show the
          business price to buyers.
        </p>
      )}
    </section>
  );
}

/** Why they do not follow, although that is chosen. */
function StoppedLine({
  name,
  sku,
  refused,
  until,
}: NonNullable<BusinessPrices['stopped']> & { name: string }): React.JSX.Element {
  return (
    <p className="mt-1">
      {refused === null
        ? `They do not follow your price, because ${name} removed other data from the offer of ${sku} when they were sent.`
        : `They do not follow your price for now, because ${name} rejected those of ${sku}: ${refused}`}
      {until !== null && (
        <>
          {' '}
          Tried again with the next price after <MomentText iso={until} />.
        </>
      )}
    </p>
  );
}

/** "20 or more at $25.50: 9.1% margin" */
function priceText({ from, price, margin }: UnitPrice): string {
  const what = from === 1 ? 'Business price' : `${formatCount(from)} or more at`;
  return `${what} ${formatMoney(price)}: ${margin === null ? 'margin unknown' : `${formatPercent(margin)} margin`}`;
}
