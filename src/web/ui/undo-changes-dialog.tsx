import { useQuery } from '@tanstack/react-query';
import type { ChangeFilterForm, KeptReason, UndoPreview } from '#contract/undo-changes.ts';
import { listText } from '#domain/text.ts';
import { errorText } from '#web/lib/api.ts';
import { countOf, formatCount } from '#web/lib/format.ts';
import { signedMoney } from '#web/lib/signed-money.ts';
import { isDeclined } from '#web/lib/step-up.ts';
import { undoPreviewQuery, useUndoChanges } from '#web/lib/undo-changes.ts';
import { Button } from './button.tsx';
import { Callout } from './callout.tsx';
import { Dialog } from './dialog.tsx';
import { EmptyNote } from './empty-note.tsx';
import { ListSkeleton } from './list-skeleton.tsx';
import { LoadFailed } from './load-failed.tsx';
import { MarginText } from './margin-text.tsx';
import { MarketplaceMark } from './marketplace-mark.tsx';
import { MoneyText } from './money-text.tsx';
import { Cell, HeadCell, PlainTable } from './plain-table.tsx';
import { QueryView } from './query-view.tsx';
import { UndoneCallout } from './undone-callout.tsx';

type UndoChangesDialogProps = {
  /** "Nov 21", as the title says it. */
  name: string;
  filter: ChangeFilterForm;
  onClose: () => void;
};

/** Previews the undo of a set of price changes, then applies exactly that. Open while rendered. */
export function UndoChangesDialog({ name, filter, onClose }: UndoChangesDialogProps): React.JSX.Element {
  const preview = useQuery(undoPreviewQuery(filter));
  const undo = useUndoChanges(filter);
  const seen = preview.data;
  const canUndo = seen !== undefined && seen.goBack + seen.notSent > 0;
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Undo ${name}`}
      size="large"
      footer={
        undo.data === undefined ? (
          <>
            <Button look="outline" onClick={onClose}>
              Keep prices
            </Button>
            {canUndo && (
              <Button onClick={() => undo.mutate(seen)} pending={undo.isPending} pendingText="Undoing...">
                {undoText(seen)}
              </Button>
            )}
          </>
        ) : (
          <Button onClick={onClose}>Close</Button>
        )
      }
    >
      {undo.data === undefined ? (
        <QueryView
          query={preview}
          loading={<ListSkeleton rows={5} />}
          failed={(error, retry) => (
            <LoadFailed
              title="Failed to calculate the effect"
              error={error}
              onRetry={retry}
              retrying={preview.isFetching}
            />
          )}
        >
          {(shown) => <Effect preview={shown} />}
        </QueryView>
      ) : (
        <UndoneCallout outcome={undo.data} />
      )}
      {undo.isError && !isDeclined(undo.error) && (
        <Callout tone="danger" role="alert" title="Could not undo the changes" className="mt-4">
          <p className="mt-1">{errorText(undo.error)}</p>
          <Button look="outline" className="mt-2" onClick={() => void preview.refetch()}>
            Preview again
          </Button>
        </Callout>
      )}
    </Dialog>
  );
}

function Effect({ preview }: { preview: UndoPreview }): React.JSX.Element {
  const { listings, notSent, inProgress, alsoChanges } = preview;
  if (listings + notSent + inProgress === 0) return <EmptyNote>There is no price change to undo.</EmptyNote>;
  return (
    <div className="flex flex-col gap-4">
      {listings > 0 && <WhatGoesBack preview={preview} />}
      {alsoChanges.length > 0 && (
        <p>Also changes {listText(alsoChanges)}, which share a price with listings of the set.</p>
      )}
      {notSent > 0 && (
        <p>
          <strong>{countOf(notSent, 'queued price', 'queued prices')}</strong> {notSent === 1 ? 'is' : 'are'}{' '}
          not sent, and {notSent === 1 ? 'its listing goes' : 'their listings go'} on hold.
        </p>
      )}
      {inProgress > 0 && (
        <p className="text-fg-muted">
          {countOf(inProgress, 'price is', 'prices are')} already on {inProgress === 1 ? 'its' : 'their'} way
          to the marketplace. You can undo {inProgress === 1 ? 'it' : 'them'} once confirmed.
        </p>
      )}
      {listings > 0 && <FirstListings preview={preview} />}
    </div>
  );
}

function WhatGoesBack({ preview }: { preview: UndoPreview }): React.JSX.Element {
  const { listings, goBack, up, down, effect, kept } = preview;
  return (
    <div>
      <p>
        <strong>
          {formatCount(goBack)} of {countOf(listings, 'price', 'prices')}
        </strong>{' '}
        {goBack === 1 ? 'is' : 'are'} restored: {formatCount(up)} up, {formatCount(down)} down,{' '}
        {signedMoney(effect)} for one unit of each. Each price is checked first, and its listing goes on hold.
      </p>
      {kept.length > 0 && (
        <ul aria-label="Prices that are kept" className="mt-1 list-disc pl-5 text-fg-muted">
          {kept.map(({ why, listings: count }) => (
            <li key={why}>
              {formatCount(count)} kept: {KEPT_TEXT[why]}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function FirstListings({ preview: { rows, listings } }: { preview: UndoPreview }): React.JSX.Element {
  return (
    <div>
      <PlainTable caption="First listings">
        <thead>
          <tr>
            <HeadCell>Listing</HeadCell>
            <HeadCell numeric>Now</HeadCell>
            <HeadCell numeric>Restored</HeadCell>
            <HeadCell numeric className="hidden sm:table-cell">
              Margin after
            </HeadCell>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <PreviewRow key={row.listingId} row={row} />
          ))}
        </tbody>
      </PlainTable>
      {rows.length < listings && (
        <p className="text-sm text-fg-muted">
          {formatCount(rows.length)} of {formatCount(listings)} are shown.
        </p>
      )}
    </div>
  );
}

function PreviewRow({ row }: { row: UndoPreview['rows'][number] }): React.JSX.Element {
  const { marketplace, sku, title, now, before, marginBefore, why, message } = row;
  return (
    <tr>
      <Cell className="max-w-32 sm:max-w-64">
        <span className="flex items-center gap-2">
          <MarketplaceMark marketplace={marketplace} />
          <span className="truncate" title={title}>
            {title}
          </span>
        </span>
        <span className="block font-mono text-sm text-fg-muted">{sku}</span>
        {why !== null && (
          <span className={why === 'not_allowed' ? 'block text-danger-text' : 'block text-fg-muted'}>
            Kept: {message}
          </span>
        )}
      </Cell>
      <Cell numeric>
        <MoneyText amount={now} />
      </Cell>
      <Cell numeric className={why === null ? 'font-semibold' : 'text-fg-muted'}>
        <MoneyText amount={before} />
      </Cell>
      <Cell numeric className="hidden sm:table-cell">
        <MarginText percent={marginBefore} />
      </Cell>
    </tr>
  );
}

/** "Restore 3 prices", "Stop 12 queued prices" */
function undoText({ goBack, notSent }: UndoPreview): string {
  if (goBack === 0) return `Stop ${countOf(notSent, 'queued price', 'queued prices')}`;
  const back = `Restore ${countOf(goBack, 'price', 'prices')}`;
  return notSent === 0 ? back : `${back}, stop ${formatCount(notSent)}`;
}

const KEPT_TEXT: Record<KeptReason, string> = {
  changed_since: 'changed again after this',
  not_allowed: 'the earlier price is no longer allowed',
  on_its_way: 'a price is on its way to the marketplace',
  already_there: 'already at that price',
  first_price: 'no earlier price',
  deleted: 'listing deleted',
};
