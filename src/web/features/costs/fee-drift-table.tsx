import { Link } from '@tanstack/react-router';
import { type ComponentProps, useId, useState } from 'react';
import type { FeeDrifts } from '#contract/fee-facts.ts';
import type { FeeDecision } from '#domain/fees/fee-fact.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { errorText } from '#web/lib/api.ts';
import { classNames } from '#web/lib/class-names.ts';
import { countOf, formatCount, shortPercent } from '#web/lib/format.ts';
import { isDeclined } from '#web/lib/step-up.ts';
import { toast } from '#web/lib/use-toast.ts';
import { Button } from '#web/ui/button.tsx';
import { CardHead } from '#web/ui/card-head.tsx';
import { MarketplaceMark } from '#web/ui/marketplace-mark.tsx';
import { MoneyText } from '#web/ui/money-text.tsx';
import { Cell, HeadCell, PlainTable } from '#web/ui/plain-table.tsx';
import { DecidePairDialog } from './decide-pair-dialog.tsx';
import { useDecideFees } from './fee-queries.ts';

type Drift = FeeDrifts['drifts'][number];

/**
 * Where marketplaces reported another commission than the fee schedule has, linked to the listings, with the lower ones that wait
 * to decide about, and users' own commissions. Nothing without one.
 */
export function FeeDriftTable({ drifts }: Pick<FeeDrifts, 'drifts'>): React.JSX.Element | null {
  const headingId = useId();
  const [open, setOpen] = useState<Drift | null>(null);
  if (drifts.length === 0) return null;
  return (
    <section aria-labelledby={headingId} className="rounded-lg border bg-surface shadow-card">
      <CardHead id={headingId} title="Commission differs from your schedule" />
      <PlainTable
        isBare
        caption="Reported commission and fee schedule, in percent of price and shipping charge"
      >
        <thead className="max-md:sr-only">
          <tr>
            <HeadCell>Marketplace</HeadCell>
            <HeadCell numeric>Reported</HeadCell>
            <HeadCell numeric>Schedule</HeadCell>
            <HeadCell numeric>Listings</HeadCell>
            <HeadCell numeric>Below margin floor</HeadCell>
            <HeadCell numeric>Difference in 30 days</HeadCell>
            <HeadCell>Decision</HeadCell>
          </tr>
        </thead>
        <tbody className="max-md:block">
          {drifts.map((drift) => (
            <DriftRow key={keyOf(drift)} drift={drift} onDecide={() => setOpen(drift)} />
          ))}
        </tbody>
      </PlainTable>
      {open !== null && (
        <DecidePairDialog
          // The current one: its number changes while fees are read.
          drift={drifts.find((drift) => keyOf(drift) === keyOf(open)) ?? open}
          onClose={() => setOpen(null)}
        />
      )}
    </section>
  );
}

function keyOf({ marketplace, told, scheduled }: Drift): string {
  return `${marketplace} ${told} ${scheduled}`;
}

function DriftRow({ drift, onDecide }: { drift: Drift; onDecide: () => void }): React.JSX.Element {
  const { marketplace, told, scheduled, listings, belowMarginFloor, cost30Days, waiting, ownRates } = drift;
  const rates = `${shortPercent(told)}% instead of ${shortPercent(scheduled)}%`;
  return (
    <tr className="max-md:block max-md:border-b max-md:py-2 max-md:last:border-b-0">
      <Cell className="whitespace-nowrap max-md:block max-md:border-b-0">
        <Link
          to="/listings"
          search={{ state: 'fee_differs', marketplace }}
          className="inline-flex min-h-10 items-center gap-1.5 font-medium text-link hover:underline md:min-h-0"
        >
          <MarketplaceMark marketplace={marketplace} />
          {MARKETPLACE_NAMES[marketplace]}
        </Link>
      </Cell>
      <Labeled label="Reported" numeric>
        {shortPercent(told)}%
      </Labeled>
      <Labeled label="Schedule" numeric>
        {shortPercent(scheduled)}%
      </Labeled>
      <Labeled label="Listings" numeric>
        {formatCount(listings)}
      </Labeled>
      <Labeled label="Below margin floor" numeric>
        {formatCount(belowMarginFloor)}
      </Labeled>
      <Labeled label="Difference in 30 days" numeric>
        <MoneyText amount={cost30Days} />
      </Labeled>
      <Labeled label="Decision">
        {waiting === 0 && ownRates === 0 && 'None'}
        {ownRates > 0 && <OwnRateButtons drift={drift} />}
        {waiting > 0 && (
          <Button
            look="quiet"
            size="small"
            className="-mx-2.5 text-link"
            aria-label={`Decide about ${countOf(waiting, 'listing', 'listings')} on ${MARKETPLACE_NAMES[marketplace]}, ${rates}`}
            onClick={onDecide}
          >
            Decide about {countOf(waiting, 'listing', 'listings')}
          </Button>
        )}
      </Labeled>
    </tr>
  );
}

/** For a user's own commission: one press uses what is reported, one keeps it. */
function OwnRateButtons({ drift }: { drift: Drift }): React.JSX.Element {
  const { marketplace, told, scheduled, ownRates } = drift;
  const decide = useDecideFees();
  const name = MARKETPLACE_NAMES[marketplace];
  const many = countOf(ownRates, 'listing', 'listings');
  const say = (decision: FeeDecision): void =>
    decide.mutate(
      { pair: { marketplace, told, scheduled }, ownRates, decision },
      {
        onSuccess: ({ listings }) => {
          const decided = countOf(listings, 'listing', 'listings');
          if (decision === 'adopt') toast('Reported commission used', `Repricing ${decided}.`);
          else toast('Your commission is kept', `It stays ${shortPercent(scheduled)}% for ${decided}.`);
        },
        onError: (error) => {
          if (!isDeclined(error)) toast('Could not save the decision', errorText(error), 'destructive');
        },
      },
    );
  return (
    <span className="flex flex-wrap gap-1">
      <Button
        look="outline"
        size="small"
        pending={decide.isPending}
        pendingText="Saving..."
        aria-label={`Use ${shortPercent(told)}% for ${many} on ${name}, instead of your ${shortPercent(scheduled)}%`}
        onClick={() => say('adopt')}
      >
        Use {shortPercent(told)}%
      </Button>
      <Button
        look="quiet"
        size="small"
        disabled={decide.isPending}
        aria-label={`Keep ${shortPercent(scheduled)}% for ${many} on ${name}, instead of the reported ${shortPercent(told)}%`}
        onClick={() => say('keep')}
      >
        Keep {shortPercent(scheduled)}%
      </Button>
    </span>
  );
}

/** A cell that, on a narrow screen, is a line with the name of its column. */
function Labeled({ label, ...rest }: ComponentProps<typeof Cell> & { label: string }): React.JSX.Element {
  return (
    <Cell
      data-label={label}
      {...rest}
      className={classNames(
        'max-md:flex max-md:h-auto max-md:min-h-8 max-md:items-center max-md:justify-between max-md:gap-2 max-md:border-b-0 max-md:py-0.5',
        'max-md:before:text-sm max-md:before:text-fg-muted max-md:before:content-[attr(data-label)]',
      )}
    />
  );
}
