import { Undo2 } from 'lucide-react';
import { Suspense, useState } from 'react';
import { KEYS } from '#web/lib/keys.ts';
import { lazyPart } from '#web/lib/lazy-part.ts';
import { useRecentActions } from '#web/lib/recent-actions-store.ts';
import { useKeyText } from '#web/lib/shortcuts.ts';
import { Button } from '#web/ui/button.tsx';
import { Popover } from '#web/ui/popover.tsx';
import { Tip } from '#web/ui/tooltip.tsx';

const List = lazyPart(async () => (await import('./recent-actions-list.tsx')).RecentActionsList);

/** Actions that can still be undone after their toast has closed. */
export function RecentActions(): React.JSX.Element {
  const actions = useRecentActions();
  const [isOpen, setOpen] = useState(false);
  const keyText = useKeyText(KEYS.undo);
  return (
    <Popover
      label="Recent actions"
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <Button
          look="quiet"
          size="icon"
          aria-label="Recent actions"
          onPointerEnter={List.preload}
          onFocus={List.preload}
        >
          <Tip text="Recent actions" enabled={!isOpen}>
            <span>
              <Undo2 aria-hidden />
            </span>
          </Tip>
        </Button>
      }
    >
      <div className="border-b px-4 py-2">
        <h2 className="font-semibold">Recent actions</h2>
        {keyText !== null && <p className="text-sm text-fg-muted">{keyText} undoes the last one.</p>}
      </div>
      {actions.length === 0 ? (
        <p className="px-4 py-6 text-center text-fg-muted">
          Nothing to undo yet. Your recent changes appear here for one hour.
        </p>
      ) : (
        <Suspense fallback={<div className="h-20" />}>
          <List.Part actions={actions} />
        </Suspense>
      )}
    </Popover>
  );
}
