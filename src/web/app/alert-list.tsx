import { Link } from '@tanstack/react-router';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import type { Alert } from '#contract/alerts.ts';
import { MomentText } from '#web/ui/moment-text.tsx';

/** Active alerts first, then those that ended within the last day. */
export function AlertList({
  alerts,
  onFollow,
}: {
  alerts: readonly Alert[];
  onFollow: () => void;
}): React.JSX.Element {
  if (alerts.length === 0) {
    return <p className="px-4 py-6 text-center text-fg-muted">No alerts. Nothing needs your attention.</p>;
  }
  return (
    <ul className="divide-y">
      {alerts.map((alert) => (
        <AlertItem key={alert.id} alert={alert} onFollow={onFollow} />
      ))}
    </ul>
  );
}

function AlertItem({
  alert: { message, link, startedAt, endedAt },
  onFollow,
}: {
  alert: Alert;
  onFollow: () => void;
}): React.JSX.Element {
  const isOver = endedAt !== null;
  const Icon = isOver ? CircleCheck : TriangleAlert;
  return (
    <li>
      <Link
        to={link}
        onClick={onFollow}
        className="flex items-start gap-3 px-4 py-3 hover:bg-hover focus-visible:-outline-offset-2"
      >
        <Icon
          aria-hidden
          className={`mt-0.5 size-4 shrink-0 ${isOver ? 'text-success-text' : 'text-warning-text'}`}
        />
        <span className="min-w-0">
          <span className={`block break-words ${isOver ? 'text-fg-muted' : ''}`}>{message}</span>
          <span className="block text-sm text-fg-muted">
            {isOver ? 'Resolved ' : 'Since '}
            <MomentText iso={endedAt ?? startedAt} />
          </span>
        </span>
      </Link>
    </li>
  );
}
