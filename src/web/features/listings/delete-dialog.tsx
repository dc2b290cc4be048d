import { useQueries } from '@tanstack/react-query';
import { ListingsPage } from '#contract/listings.ts';
import { MARKETPLACE_NAMES, MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import { call } from '#web/lib/api.ts';
import { countOf } from '#web/lib/format.ts';
import { queryText } from '#web/lib/list-state.ts';
import { AlertDialog } from '#web/ui/alert-dialog.tsx';
import type { ActionTarget } from './listings-screen.ts';
import { useBulkAction } from './use-bulk-actions.ts';
import { useListingCache } from './use-listing-cache.ts';

/** Shows how many listings will be deleted and on which marketplaces. The price history stays; Undo restores them. */
export function DeleteDialog({
  target,
  onClose,
}: {
  target: ActionTarget;
  onClose: () => void;
}): React.JSX.Element {
  const remove = useBulkAction<object>({
    path: '/api/listings/delete',
    title: 'Listings Deleted',
    undone: 'Listings restored',
  });
  const places = useMarketplaceCounts(target);
  const what =
    target.row === null ? countOf(target.count, 'listing', 'listings') : `listing ${target.row.sku}`;
  return (
    <AlertDialog
      open
      onCancel={onClose}
      title={`Delete ${what}?`}
      action={
        target.count === 1 ? 'Delete listing' : `Delete ${countOf(target.count, 'listing', 'listings')}`
      }
      pending={remove.isPending}
      pendingText="Deleting..."
      onConfirm={() => remove.mutate({ target, extra: {} })}
    >
      {places.length > 0 && (
        <ul className="mb-2 text-fg">
          {places.map(({ marketplace, count }) => (
            <li key={marketplace} className="flex justify-between gap-4">
              <span>{MARKETPLACE_NAMES[marketplace]}</span>
              <span className="tabular-nums">{countOf(count, 'listing', 'listings')}</span>
            </li>
          ))}
        </ul>
      )}
      <p>
        {target.count === 1
          ? 'Pricewright stops repricing it. Nothing changes on the marketplace. Its SKU, costs and price history are kept.'
          : 'Pricewright stops repricing them. Nothing changes on the marketplace. Their SKUs, costs and price history are kept.'}
      </p>
    </AlertDialog>
  );
}

type PlaceCount = { marketplace: Marketplace; count: number };

/** Count by marketplace: of selected rows from the cache, of a filter from the server. */
function useMarketplaceCounts({ selection }: ActionTarget): readonly PlaceCount[] {
  const cache = useListingCache();
  const filter = 'filter' in selection ? selection.filter : null;
  const requested = MARKETPLACES.filter(
    (marketplace) => filter !== null && (filter.marketplace ?? marketplace) === marketplace,
  );
  const answers = useQueries({
    queries: requested.map((marketplace) => {
      const params = { ...filter, marketplace, size: '25' };
      return {
        queryKey: ['listing-count', params],
        queryFn: () => call(ListingsPage, 'GET', `/api/listings${queryText(params)}`),
        gcTime: 0,
      };
    }),
  });
  const counts = new Map<Marketplace, number>();
  if ('ids' in selection) {
    for (const id of selection.ids) {
      const place = cache.find(id)?.marketplace;
      if (place !== undefined) counts.set(place, (counts.get(place) ?? 0) + 1);
    }
  }
  for (const [index, marketplace] of requested.entries()) {
    counts.set(marketplace, answers[index]?.data?.total ?? 0);
  }
  return MARKETPLACES.flatMap((marketplace) => {
    const count = counts.get(marketplace) ?? 0;
    return count === 0 ? [] : [{ marketplace, count }];
  });
}
