import { RefreshCw } from 'lucide-react';
import { classNames } from '#web/lib/class-names.ts';
import { formatCount } from '#web/lib/format.ts';
import { type LiveChanges, useLiveChanges } from '#web/lib/live-changes.ts';
import { Button } from './button.tsx';

type ChangesCalloutProps = {
  onRefresh: () => void;
  /** Inline, where it appears and disappears without moving anything. */
  isInline?: boolean;
};

/** Figures and rows never change under the reader: this offers to reload them once they are outdated. */
export function ChangesCallout({ onRefresh, isInline = false }: ChangesCalloutProps): React.JSX.Element {
  const changes = useLiveChanges();
  const isStale = changes.uncounted || changes.listings.size > 0;
  return (
    <div role="status" className={isStale ? '' : 'sr-only'}>
      {isStale && (
        <div
          className={classNames(
            'flex items-center',
            isInline
              ? 'gap-1 rounded-md bg-selected @min-[50rem]:pl-3'
              : 'flex-wrap gap-x-3 gap-y-2 rounded-md bg-selected px-4 py-1.5',
          )}
        >
          {/* Next to tabs there is seldom room for the sentence: the tabs would be cut. */}
          <span className={classNames('font-medium', isInline && '@max-[50rem]:sr-only')}>
            {wording(changes)}
          </span>
          <Button
            look={isInline ? 'quiet' : 'outline'}
            className={isInline ? 'text-link' : ''}
            onClick={onRefresh}
          >
            <RefreshCw aria-hidden />
            <span className={isInline ? 'max-sm:sr-only' : ''}>Refresh</span>
          </Button>
        </div>
      )}
    </div>
  );
}

/** Not "prices": the same event reports a recommendation, a cost or a state. */
function wording({ listings, uncounted }: LiveChanges): string {
  if (uncounted) return 'Listings may have changed.';
  return listings.size === 1 ? '1 listing changed.' : `${formatCount(listings.size)} listings changed.`;
}
