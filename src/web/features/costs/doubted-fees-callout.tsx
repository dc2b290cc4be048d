import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { DoubtedReading, FeeDrifts } from '#contract/fee-facts.ts';
import type { FeeDecision } from '#domain/fees/fee-fact.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { errorText } from '#web/lib/api.ts';
import { countOf, formatMoney, formatPercent } from '#web/lib/format.ts';
import { toast } from '#web/lib/use-toast.ts';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { MomentText } from '#web/ui/moment-text.tsx';
import { Cell, HeadCell, PlainTable } from '#web/ui/plain-table.tsx';
import { useDecideFees } from './fee-queries.ts';

/** Fees that marketplaces reported for many listings at once, to accept or to reject. */
export function DoubtedFeesCallout({ query }: { query: UseQueryResult<FeeDrifts> }): React.ReactNode {
  const [open, setOpen] = useState<DoubtedReading | null>(null);
  if (query.isError && query.data === undefined) {
    return (
      <LoadFailed
        title="Failed to load the fees that differ"
        error={query.error}
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      />
    );
  }
  const readings = query.data?.readings ?? [];
  return (
    <>
      {readings.map((reading) => (
        <Callout
          key={reading.id}
          tone="danger"
          title={`${nameOf(reading)} reported different fees for ${manyOf(reading)} at once`}
        >
          <p className="max-w-[80ch] text-fg-muted">
            First reported <MomentText iso={reading.since} />. Until you accept or reject them, lower fees are
            not used, and prices with higher fees are only recommended.
          </p>
          <Button look="outline" className="mt-3" onClick={() => setOpen(reading)}>
            Review {manyOf(reading)}
          </Button>
        </Callout>
      ))}
      {open !== null && (
        <ReadingDialog
          // The current one: its number grows while fees are read.
          reading={readings.find(({ id }) => id === open.id) ?? open}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  );
}

function nameOf({ marketplace }: DoubtedReading): string {
  return MARKETPLACE_NAMES[marketplace];
}

function manyOf({ listings }: DoubtedReading): string {
  return countOf(listings, 'listing', 'listings');
}

type ReadingDialogProps = { reading: DoubtedReading; onClose: () => void };

function ReadingDialog({ reading, onClose }: ReadingDialogProps): React.JSX.Element {
  const { id, listings, repriced, pairs, shown } = reading;
  const decide = useDecideFees();
  const say = (decision: FeeDecision): void =>
    decide.mutate(
      { reading: id, listings, decision },
      {
        onSuccess: () => {
          const isAccepted = decision === 'adopt';
          toast(
            isAccepted ? 'Fees accepted' : 'Fees rejected',
            isAccepted
              ? `Repricing ${manyOf(reading)}.`
              : `The earlier fees apply. Pricewright requests them from ${nameOf(reading)} again.`,
          );
          onClose();
        },
      },
    );
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Does ${nameOf(reading)} charge these fees?`}
      description="Compare a few with a statement. Accept them to price with them, or reject them to keep the earlier fees and request all of them again."
      onSubmit={() => say('adopt')}
      alert={
        decide.error !== null && (
          <Callout tone="danger" role="alert" title="Could not save the decision">
            {errorText(decide.error)}
          </Callout>
        )
      }
      footer={
        <>
          <Button look="outline" onClick={onClose}>
            Cancel
          </Button>
          <Button look="outline" onClick={() => say('keep')} disabled={decide.isPending}>
            Reject
          </Button>
          <Button type="submit" pending={decide.isPending} pendingText="Saving...">
            Accept for {manyOf(reading)}
          </Button>
        </>
      }
    >
      {repriced > 0 && (
        <p className="mb-3 text-sm">
          {countOf(repriced, 'listing was', 'listings were')} repriced with a higher fee before the others
          were reported. Rejecting does not change these prices back; the next check does if a rule calls for
          it.
        </p>
      )}
      <PlainTable caption="Fees before and now">
        <thead>
          <tr>
            <HeadCell numeric>Before</HeadCell>
            <HeadCell numeric>Now</HeadCell>
            <HeadCell numeric>Listings</HeadCell>
          </tr>
        </thead>
        <tbody>
          {pairs.map(({ before, told, listings: count }) => (
            <tr key={`${before} ${told}`}>
              <Cell numeric>{formatPercent(before)}</Cell>
              <Cell numeric>{formatPercent(told)}</Cell>
              <Cell numeric>{count.toLocaleString('en-US')}</Cell>
            </tr>
          ))}
        </tbody>
      </PlainTable>
      <PlainTable caption="Listings" className="mt-4">
        <thead>
          <tr>
            <HeadCell>Listing</HeadCell>
            <HeadCell numeric>Price</HeadCell>
            <HeadCell numeric>Before</HeadCell>
            <HeadCell numeric>Now</HeadCell>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ listingId, sku, title, currentPrice, before, told }) => (
            <tr key={listingId}>
              <Cell>
                <span className="block font-mono text-sm wrap-anywhere">{sku}</span>
                <span className="line-clamp-2 text-sm text-fg-muted" title={title}>
                  {title}
                </span>
              </Cell>
              <Cell numeric>{formatMoney(currentPrice)}</Cell>
              <Cell numeric>{formatPercent(before)}</Cell>
              <Cell numeric>{formatPercent(told)}</Cell>
            </tr>
          ))}
        </tbody>
      </PlainTable>
      {listings > shown.length && (
        <p className="mt-2 text-sm text-fg-muted">
          The {shown.length} with the largest differences are shown.
        </p>
      )}
    </Dialog>
  );
}
