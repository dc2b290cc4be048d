import { Link } from '@tanstack/react-router';
import type { MissedPrice } from '#contract/under-way.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { formatMoney } from '#web/lib/format.ts';
import { UNDER_WAY_WORDS } from '#web/lib/under-way-words.ts';
import { MarketplaceMark } from '#web/ui/marketplace-mark.tsx';
import { MomentText } from '#web/ui/moment-text.tsx';
import { Cell, HeadCell, PlainTable } from '#web/ui/plain-table.tsx';

/** Prices that did not become one: what the marketplace refused, what was not sent, and what nobody knows. */
export function MissedPrices({ missed }: { missed: readonly MissedPrice[] }): React.JSX.Element | null {
  if (missed.length === 0) return null;
  return (
    <section aria-labelledby="missed-prices" className="flex flex-col gap-2">
      <h2 id="missed-prices" className="text-base font-semibold">
        Prices that are not live
      </h2>
      <PlainTable caption="Prices that are not live, newest first" className="max-h-80 overflow-y-auto">
        <thead>
          <tr>
            <HeadCell>Since</HeadCell>
            <HeadCell>Product</HeadCell>
            <HeadCell numeric>Price</HeadCell>
            <HeadCell>State</HeadCell>
          </tr>
        </thead>
        <tbody>
          {missed.map((price) => (
            <MissedRow key={price.id} missed={price} />
          ))}
        </tbody>
      </PlainTable>
    </section>
  );
}

function MissedRow({ missed }: { missed: MissedPrice }): React.JSX.Element {
  const { marketplace, sku, productTitle, price, fromPrice, state, answer, since, actor } = missed;
  return (
    <tr>
      <Cell className="whitespace-nowrap">
        <MomentText iso={since} />
      </Cell>
      <Cell className="max-w-72">
        <Link
          to="/listings"
          search={{ q: sku }}
          className="block truncate font-medium text-link hover:underline"
        >
          {productTitle}
        </Link>
        <span className="flex items-center gap-1.5 text-sm text-fg-muted">
          <MarketplaceMark marketplace={marketplace} />
          {MARKETPLACE_NAMES[marketplace]} <span className="font-mono">{sku}</span>
        </span>
      </Cell>
      <Cell numeric className="whitespace-nowrap">
        <span className="font-semibold">{formatMoney(price)}</span>
        <span className="block text-sm text-fg-muted">
          instead of {formatMoney(fromPrice)}
          {actor !== null && `, by ${actor}`}
        </span>
      </Cell>
      <Cell className="min-w-64">
        {UNDER_WAY_WORDS[state].name}
        {`: ${answer ?? UNDER_WAY_WORDS[state].meaning}`}
      </Cell>
    </tr>
  );
}
