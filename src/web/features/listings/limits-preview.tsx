import { useQuery } from '@tanstack/react-query';
import { type LimitChangesForm, LimitPlan, type LimitRefusal } from '#contract/limit-plan.ts';
import { call, errorText } from '#web/lib/api.ts';
import { countOf, formatCount, formatMoney } from '#web/lib/format.ts';
import { isDeclined } from '#web/lib/step-up.ts';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { ListSkeleton } from '#web/ui/list-skeleton.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { MoneyText } from '#web/ui/money-text.tsx';
import { Cell, HeadCell, PlainTable } from '#web/ui/plain-table.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import type { ActionTarget } from './listings-screen.ts';
import { useBulkAction } from './use-bulk-actions.ts';

type LimitsPreviewProps = {
  target: ActionTarget;
  limits: LimitChangesForm;
  /** Returns to the form, with the typed text. */
  onBack: () => void;
  onClose: () => void;
};

/** Previews new limits, listing by listing. Exactly these are set. */
export function LimitsPreview({ target, limits, onBack, onClose }: LimitsPreviewProps): React.JSX.Element {
  const preview = useQuery({
    queryKey: ['limits-preview', target.selection, limits],
    queryFn: () =>
      call(LimitPlan, 'POST', '/api/listings/limits-preview', { selection: target.selection, limits }),
    // Calculated each time it is opened.
    gcTime: 0,
  });
  const set = useBulkAction<{ limits: LimitChangesForm; token: string }>({
    path: '/api/listings/limits',
    title: 'Price limits set',
  });
  const plan = preview.data;
  const changes = plan?.changes ?? 0;
  const send = (): void => {
    if (plan === undefined) return;
    set.mutate({ target, extra: { limits, token: plan.token } }, { onError: () => void preview.refetch() });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      size="large"
      title="Preview of the price limits"
      description="Minimum prices are rounded up to the cent, maximum prices down. Nothing is saved yet."
      footer={
        <>
          <Button look="outline" onClick={onBack}>
            Back
          </Button>
          <Button
            disabled={changes === 0 || preview.isFetching}
            pending={set.isPending}
            pendingText="Saving..."
            onClick={send}
          >
            {changes === 0 ? 'Set limits' : `Set limits of ${countOf(changes, 'listing', 'listings')}`}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {set.error !== null && !isDeclined(set.error) && (
          <Callout tone="danger" role="alert" title={errorText(set.error)} />
        )}
        <QueryView
          query={preview}
          loading={<ListSkeleton />}
          failed={(error, retry) => (
            <LoadFailed
              title="Failed to calculate the limits"
              error={error}
              onRetry={retry}
              retrying={preview.isFetching}
            />
          )}
        >
          {(data) => <Plan plan={data} />}
        </QueryView>
      </div>
    </Dialog>
  );
}

function Plan({ plan }: { plan: LimitPlan }): React.JSX.Element {
  const { listings, changes, unchanged, refused, rows } = plan;
  const left = refused.reduce((sum, { count }) => sum + count, 0);
  return (
    <>
      <p>
        {`Of ${countOf(listings, 'listing', 'listings')}: ${countOf(changes, 'changes', 'change')}, ${countOf(unchanged, 'has', 'have')} these limits already, ${countOf(left, 'is', 'are')} skipped.`}
      </p>
      <Effects effects={plan.effects} />
      {refused.length > 0 && (
        <section>
          <h3 className="font-semibold">Skipped</h3>
          <ul className="mt-1 flex flex-col divide-y">
            {refused.map(({ why, count, skus }) => (
              <li key={why} className="py-1.5">
                <span className="font-medium">{countOf(count, 'listing', 'listings')}:</span> {WHY[why]}{' '}
                <span className="font-mono text-sm text-fg-muted">
                  {skus.join(', ')}
                  {count > skus.length && ', ...'}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {rows.length > 0 && <Rows rows={rows} />}
      {changes > rows.length && (
        <p className="text-fg-muted">
          The {formatCount(rows.length)} largest changes are shown.{' '}
          {countOf(changes - rows.length, 'smaller one is', 'smaller ones are')} also applied.
        </p>
      )}
    </>
  );
}

const WHY = {
  no_cost: 'the total cost is unknown.',
  no_value: 'there is no current value to change.',
  no_floor: 'the margin floor is unknown.',
  no_price: 'the limit would not be a valid price.',
  min_above_max: 'the minimum price would be above the maximum price.',
  deleted: 'deleted after you opened this.',
} as const satisfies Record<LimitRefusal, string>;

const EFFECTS = [
  ['maxBelowFloor', 'new maximum below the margin floor: not repriced until one of them changes.'],
  ['minBelowFloor', 'new minimum below the margin floor: the margin floor still applies.'],
  ['priceBelowMin', 'current price below the new minimum: the price is raised.'],
  ['priceAboveMax', 'current price above the new maximum: the price is lowered.'],
] as const satisfies readonly (readonly [keyof LimitPlan['effects'], string])[];

function Effects({ effects }: Pick<LimitPlan, 'effects'>): React.JSX.Element | null {
  const felt = EFFECTS.filter(([name]) => effects[name] > 0);
  if (felt.length === 0) return null;
  return (
    <Callout tone={effects.maxBelowFloor > 0 ? 'danger' : 'info'} title="Effects">
      <ul className="flex flex-col gap-1 text-fg-muted">
        {felt.map(([name, text]) => (
          <li key={name}>
            <span className="font-medium text-fg">{countOf(effects[name], 'listing', 'listings')}:</span>{' '}
            {text}
          </li>
        ))}
      </ul>
    </Callout>
  );
}

function Rows({ rows }: { rows: LimitPlan['rows'] }): React.JSX.Element {
  const has = (side: 'minPrice' | 'maxPrice'): boolean => rows.some((row) => row[side] !== null);
  return (
    <PlainTable caption="Limits that would change">
      <thead>
        <tr>
          <HeadCell>Listing</HeadCell>
          {has('minPrice') && <HeadCell numeric>Minimum price</HeadCell>}
          {has('maxPrice') && <HeadCell numeric>Maximum price</HeadCell>}
          <HeadCell numeric>Current price</HeadCell>
          <HeadCell numeric>Margin floor</HeadCell>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.listingId}>
            <Cell className="max-w-36 sm:max-w-80">
              <span className="font-mono text-sm font-medium">{row.sku}</span>
              <span className="block truncate text-sm text-fg-muted">{row.title}</span>
            </Cell>
            {has('minPrice') && <MoveCell move={row.minPrice} />}
            {has('maxPrice') && <MoveCell move={row.maxPrice} />}
            <Cell numeric>{formatMoney(row.currentPrice)}</Cell>
            <Cell numeric>
              <MoneyText amount={row.floor} />
            </Cell>
          </tr>
        ))}
      </tbody>
    </PlainTable>
  );
}

function MoveCell({ move }: { move: LimitPlan['rows'][number]['minPrice'] }): React.JSX.Element {
  if (move === null) return <Cell numeric>stays</Cell>;
  const text = (amount: string | null): string => (amount === null ? 'none' : formatMoney(amount));
  return (
    <Cell numeric>
      <span className="text-fg-muted">{text(move.from)} to </span>
      <span className="font-semibold">{text(move.to)}</span>
    </Cell>
  );
}
