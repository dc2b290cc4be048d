import { RefreshCw } from 'lucide-react';
import { formatCount } from '#web/lib/format.ts';
import { type LiveChanges, useLiveChanges } from '#web/lib/live-changes.ts';
import { Button } from './button.tsx';

/** Figures and rows do not change under the reader's eyes: this offers to load them again once they are out of date. */
export function ChangesNotice({ onRefresh }: { onRefresh: () => void }): React.JSX.Element {
  const changes = useLiveChanges();
  const isStale = changes.uncounted || changes.listings.size > 0;
  return (
    <div role="status" className={isStale ? '' : 'sr-only'}>
      {isStale && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-border-control bg-selected px-4 py-2">
          <span className="font-medium">{wording(changes)}</span>
          <Button look="outline" onClick={onRefresh}>
            <RefreshCw aria-hidden />
            Refresh
          </Button>
        </div>
      )}
    </div>
  );
}

/** Not "prices": a recommended price, a cost or a state is told of by the same event. */
function wording({ listings, uncounted }: LiveChanges): string {
  if (uncounted) return 'Listings may have changed.';
  return listings.size === 1 ? '1 listing changed.' : `${formatCount(listings.size)} listings changed.`;
}
