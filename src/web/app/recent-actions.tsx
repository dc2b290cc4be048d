import { CircleAlert, CircleCheck, Clock, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { countOf } from '#web/lib/format.ts';
import { KEYS } from '#web/lib/keys.ts';
import {
  isTooOld,
  type RecentAction,
  undoAction,
  undoLatest,
  useRecentActions,
} from '#web/lib/recent-actions.ts';
import { useKeyText, useShortcut } from '#web/lib/shortcuts.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { MomentText } from '#web/ui/moment-text.tsx';
import { Popover } from '#web/ui/popover.tsx';
import { Tip } from '#web/ui/tooltip.tsx';

/** What was done from this page and can be taken back, however long ago its message went. */
export function RecentActions(): React.JSX.Element {
  const actions = useRecentActions();
  const [isOpen, setOpen] = useState(false);
  const keyText = useKeyText(KEYS.undo);
  useShortcut(KEYS.undo, undoLatest);
  return (
    <Popover
      label="Recent actions"
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <Button look="quiet" size="icon" aria-label="Recent actions">
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
        {keyText !== null && <p className="text-sm text-fg-muted">{keyText} takes back the last one.</p>}
      </div>
      {actions.length === 0 ? (
        <p className="px-4 py-6 text-center text-fg-muted">
          Nothing to take back yet. Switches, prices and deletions you make stand here with their Undo.
        </p>
      ) : (
        <ul aria-label={countOf(actions.length, 'action', 'actions')} className="divide-y">
          {actions.map((action) => (
            <ActionItem key={action.id} action={action} />
          ))}
        </ul>
      )}
    </Popover>
  );
}

function ActionItem({ action }: { action: RecentAction }): React.JSX.Element {
  const { id, title, text, about, at, state, why } = action;
  const isExpired = state === 'done' && isTooOld(action, Date.now());
  return (
    <li className="flex items-start justify-between gap-3 px-4 py-3">
      <div className="min-w-0">
        <p className="font-medium break-words">{title}</p>
        <p className="text-sm break-words text-fg-muted">{about ?? text}</p>
        {why !== null && state === 'undone' && <p className="mt-1 text-sm break-words">{why}</p>}
        {why !== null && state !== 'undone' && (
          <p className="mt-1 flex items-start gap-1.5 text-sm text-danger-text">
            <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
            {why}
          </p>
        )}
        <p className="text-sm text-fg-muted">
          <MomentText iso={new Date(at).toISOString()} />
        </p>
      </div>
      <span className="shrink-0">
        {state === 'undone' ? (
          <Badge tone="success" icon={CircleCheck}>
            Undone
          </Badge>
        ) : isExpired ? (
          <Tip text="Older than an hour: change it back by hand.">
            <span>
              <Badge tone="neutral" icon={Clock}>
                Expired
              </Badge>
            </span>
          </Tip>
        ) : (
          <Button
            look="outline"
            aria-label={`Undo: ${title}, ${about ?? text}`}
            onClick={() => void undoAction(id)}
            pending={state === 'undoing'}
            pendingText="Undoing..."
          >
            {state === 'failed' ? 'Try again' : 'Undo'}
          </Button>
        )}
      </span>
    </li>
  );
}
