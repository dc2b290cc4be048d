import { RefreshCw } from 'lucide-react';
import { formatClock } from '#web/lib/format.ts';
import { ariaKeys, KEYS } from '#web/lib/keys.ts';
import { useShortcut } from '#web/lib/shortcuts.ts';
import { Button } from './button.tsx';
import { Tip } from './tooltip.tsx';

/**
 * "Updated 14:05", or its reserved space until then, so that nothing moves when the figures arrive.
 * @param at milliseconds since 1970; 0 before the first load
 */
function UpdatedAt({ at }: { at: number }): React.JSX.Element {
  if (at > 0) return <span className={UPDATED}>Updated {formatClock(at)}</span>;
  return <span className={`${UPDATED} before:invisible before:content-['Updated_00:00']`} />;
}

const UPDATED = 'text-sm text-fg-muted max-md:sr-only';

type FreshnessProps = {
  /** Load time of the data on screen, in milliseconds since 1970; 0 before the first load. */
  updatedAt: number;
  refreshing: boolean;
  /** Reloads it. Also on R. */
  onRefresh: () => unknown;
};

/** The age of a screen's figures, and a button to reload them: nothing is refreshed automatically. */
export function Freshness({ updatedAt, refreshing, onRefresh }: FreshnessProps): React.JSX.Element {
  useShortcut(KEYS.refresh, refreshing ? () => undefined : onRefresh);
  return (
    <span className="flex items-center gap-1 print:hidden">
      <UpdatedAt at={updatedAt} />
      <Tip text="Refresh" shortcut={KEYS.refresh}>
        <Button
          look="quiet"
          size="icon"
          aria-keyshortcuts={ariaKeys(KEYS.refresh)}
          onClick={() => void onRefresh()}
          pending={refreshing}
          pendingText={<span className="sr-only">Refreshing...</span>}
        >
          <RefreshCw aria-hidden />
          <span className="sr-only">Refresh</span>
        </Button>
      </Tip>
    </span>
  );
}
