import { Link } from '@tanstack/react-router';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import type { Alert } from '#contract/alerts.ts';
import { MomentText } from '#web/ui/moment-text.tsx';

/** What lasts first, then what was over within a day. */
export function NoticeList({
  notices,
  onFollow,
}: {
  notices: readonly Alert[];
  onFollow: () => void;
}): React.JSX.Element {
  if (notices.length === 0) {
    return <p className="px-4 py-6 text-center text-fg-muted">Nothing needs you.</p>;
  }
  return (
    <ul className="divide-y">
      {notices.map((notice) => (
        <NoticeItem key={notice.id} notice={notice} onFollow={onFollow} />
      ))}
    </ul>
  );
}

function NoticeItem({
  notice: { message, link, startedAt, endedAt },
  onFollow,
}: {
  notice: Alert;
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
            {isOver ? 'Over since ' : 'Since '}
            <MomentText iso={endedAt ?? startedAt} />
          </span>
        </span>
      </Link>
    </li>
  );
}
