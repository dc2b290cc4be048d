import { RefreshCw } from 'lucide-react';
import { formatClock } from '#web/lib/format.ts';
import { ariaKeys, KEYS } from '#web/lib/keys.ts';
import { useShortcut } from '#web/lib/shortcuts.ts';
import { Button } from './button.tsx';
import { Tip } from './tooltip.tsx';

type FreshnessProps = {
  /** When what is on screen was loaded, in milliseconds since 1970; 0 before that. */
  updatedAt: number;
  refreshing: boolean;
  /** Loads it again. Also on R. */
  onRefresh: () => unknown;
};

/** How old the figures of a screen are, and a way to have new ones: nothing goes stale or changes by itself. */
export function Freshness({ updatedAt, refreshing, onRefresh }: FreshnessProps): React.JSX.Element {
  useShortcut(KEYS.refresh, refreshing ? () => undefined : onRefresh);
  return (
    <span className="flex items-center gap-2 print:hidden">
      {updatedAt > 0 && (
        <span className="text-sm text-fg-muted tabular-nums">Updated {formatClock(updatedAt)}</span>
      )}
      <Tip text="Refresh" shortcut={KEYS.refresh}>
        <Button
          look="outline"
          aria-keyshortcuts={ariaKeys(KEYS.refresh)}
          onClick={() => void onRefresh()}
          pending={refreshing}
          pendingText="Refreshing..."
        >
          <RefreshCw aria-hidden />
          Refresh
        </Button>
      </Tip>
    </span>
  );
}
