import { useQuery } from '@tanstack/react-query';
import { ApplyPreview } from '#contract/price-actions.ts';
import { call } from '#web/lib/api.ts';
import { countOf, formatCount, formatMoney } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { ListSkeleton } from '#web/ui/list-skeleton.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { MarginText } from '#web/ui/margin-text.tsx';
import { Cell, HeadCell, PlainTable } from '#web/ui/plain-table.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import type { ActionTarget } from './listings-screen.ts';
import { useBulkAction } from './use-bulk-actions.ts';

/** Lists the prices that Apply would change, before it is pressed. */
export function ApplyDialog({
  target,
  onClose,
}: {
  target: ActionTarget;
  onClose: () => void;
}): React.JSX.Element {
  const preview = useQuery({
    queryKey: ['apply-preview', target.selection],
    queryFn: () => call(ApplyPreview, 'POST', '/api/listings/apply-preview', { selection: target.selection }),
    // Calculated each time it is opened.
    gcTime: 0,
  });
  const apply = useBulkAction<object>({
    path: '/api/listings/apply',
    title: 'Recommended prices applied',
    text: (count) => countOf(count, 'price changed', 'prices changed'),
  });
  const count = preview.data?.count ?? 0;
  return (
    <Dialog
      open
      onClose={onClose}
      size="large"
      title="Apply recommended prices"
      description="Each price is recalculated when applied. None goes below its lowest allowed price."
      footer={
        <>
          <Button look="outline" onClick={onClose}>
            Cancel
          </Button>
          <Button
            disabled={count === 0}
            pending={apply.isPending}
            pendingText="Changing prices..."
            onClick={() => apply.mutate({ target, extra: {} })}
          >
            {count === 0 ? 'Change prices' : `Change ${countOf(count, 'price', 'prices')}`}
          </Button>
        </>
      }
    >
      <QueryView
        query={preview}
        loading={<ListSkeleton />}
        failed={(error, retry) => (
          <LoadFailed
            title="Failed to calculate the changes"
            error={error}
            onRetry={retry}
            retrying={preview.isFetching}
          />
        )}
      >
        {(data) => <Preview preview={data} />}
      </QueryView>
    </Dialog>
  );
}

function Preview({ preview }: { preview: ApplyPreview }): React.JSX.Element {
  const { count, blockedCount, raised, lowered, rows, blocked } = preview;
  return (
    <>
      <p>
        {count === 0
          ? 'No selected listing has a recommended price that can be applied now.'
          : `${countOf(count, 'price', 'prices')} would change: ${formatCount(raised)} up, ${formatCount(lowered)} down.`}
      </p>
      {rows.length > 0 && <Moves rows={rows} />}
      {count > rows.length && (
        <p className="text-fg-muted">
          The {formatCount(rows.length)} largest changes are shown.{' '}
          {countOf(count - rows.length, 'smaller one is', 'smaller ones are')} also applied.
        </p>
      )}
      {blockedCount > 0 && (
        <section>
          <h3 className="font-semibold">{countOf(blockedCount, 'listing is', 'listings are')} skipped</h3>
          <ul className="mt-1 flex flex-col divide-y">
            {blocked.map(({ listingId, sku, message }) => (
              <li key={listingId} className="py-1.5">
                <span className="font-mono text-sm font-medium">{sku}</span>{' '}
                <span className="text-fg-muted">{message}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function Moves({ rows }: { rows: ApplyPreview['rows'] }): React.JSX.Element {
  return (
    <PlainTable caption="Prices that would change">
      <thead>
        <tr>
          <HeadCell>Listing</HeadCell>
          <HeadCell numeric>Old price</HeadCell>
          <HeadCell numeric>New price</HeadCell>
          <HeadCell numeric>Margin before</HeadCell>
          <HeadCell numeric>Margin after</HeadCell>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.listingId}>
            <Cell className="max-w-80">
              <span className="font-mono text-sm font-medium">{row.sku}</span>
              <span className="block truncate text-sm text-fg-muted">{row.title}</span>
            </Cell>
            <Cell numeric>{formatMoney(row.oldPrice)}</Cell>
            <Cell numeric className="font-semibold">
              {formatMoney(row.newPrice)}
            </Cell>
            <Cell numeric>
              <MarginText percent={row.marginBefore} />
            </Cell>
            <Cell numeric>
              <MarginText percent={row.marginAfter} />
            </Cell>
          </tr>
        ))}
      </tbody>
    </PlainTable>
  );
}
