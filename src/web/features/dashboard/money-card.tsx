import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import type { MoneyLine } from '#contract/start.ts';
import { countOf, formatMoney } from '#web/lib/format.ts';
import { Card } from '#web/ui/card.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { moneyQuery } from './queries.ts';

const LINK = 'font-semibold text-link underline underline-offset-2';

/** What the floor is worth: what is lost below it now, what waits, what it kept this week. */
export function MoneyCard(): React.JSX.Element | null {
  const query = useQuery(moneyQuery);
  const { data } = query;
  const headingId = useId();
  if (query.isError && data === undefined) {
    return (
      <LoadFailed
        title="Failed to load the margin figures"
        error={query.error}
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      />
    );
  }
  if (data === undefined) return null;
  return (
    <section aria-labelledby={headingId}>
      <Card className="h-full">
        <h2 id={headingId} className="font-medium text-fg-muted">
          Margin
        </h2>
        <ul className="mt-2 flex flex-col gap-2">
          <BelowFloor {...data} />
          <Recommended {...data} />
          <Saved {...data} />
        </ul>
      </Card>
    </section>
  );
}

function BelowFloor({ belowFloor, lossPerSale }: MoneyLine): React.JSX.Element {
  if (belowFloor === 0) return <li>No listing is below its lowest legal price.</li>;
  return (
    <li>
      <Link to="/listings" search={{ state: 'below_floor' }} className={LINK}>
        {countOf(belowFloor, 'listing', 'listings')}
      </Link>{' '}
      below the lowest legal price
      {lossPerSale === '0.00'
        ? ': less margin than your rules ask for.'
        : `; one sale of each loses ${formatMoney(lossPerSale)}.`}
    </li>
  );
}

function Recommended({ recommended }: MoneyLine): React.JSX.Element {
  if (recommended === 0) return <li>No recommended price waits for a decision.</li>;
  return (
    <li>
      <Link to="/listings" search={{ state: 'recommended' }} className={LINK}>
        {countOf(recommended, 'recommended price', 'recommended prices')}
      </Link>{' '}
      {recommended === 1 ? 'waits' : 'wait'} for a decision.
    </li>
  );
}

function Saved({ heldAtFloor, savedByFloor }: MoneyLine): React.JSX.Element {
  if (heldAtFloor === 0) return <li>The floor held no price up in the last 7 days.</li>;
  return (
    <li>
      The floor held{' '}
      <Link to="/history" search={{ days: '7', source: 'rule' }} className={LINK}>
        {countOf(heldAtFloor, 'price', 'prices')}
      </Link>{' '}
      up in the last 7 days: {formatMoney(savedByFloor)} kept per sale of each.
    </li>
  );
}
