import { CircleAlert, CircleCheck, Clock } from 'lucide-react';
import { countOf } from '#web/lib/format.ts';
import { isTooOld, type RecentAction, undoAction } from '#web/lib/recent-actions-store.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { MomentText } from '#web/ui/moment-text.tsx';
import { Tip } from '#web/ui/tooltip.tsx';

/** Actions that can be undone, newest first. */
export function RecentActionsList({ actions }: { actions: readonly RecentAction[] }): React.JSX.Element {
  return (
    <ul aria-label={countOf(actions.length, 'action', 'actions')} className="divide-y">
      {actions.map((action) => (
        <ActionItem key={action.id} action={action} />
      ))}
    </ul>
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
          <Tip text="Older than one hour. Change it back by hand.">
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
