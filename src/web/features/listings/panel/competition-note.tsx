import { useQuery } from '@tanstack/react-query';
import { CircleHelp } from 'lucide-react';
import { MomentText } from '#web/ui/moment-text.tsx';
import { competitionQuery } from './queries.ts';

/** What is known about the competitors of a listing, since when, and what it takes to be featured. */
export function CompetitionNote({ id }: { id: string }): React.JSX.Element | null {
  const { data } = useQuery(competitionQuery(id));
  if (data === undefined) return null;
  const { verdict, text, unread, featuredPrice } = data;
  return (
    <div className="flex flex-col gap-1 text-sm">
      <p className={verdict === 'not_read' ? 'flex items-start gap-1.5 text-warning-text' : ''}>
        {verdict === 'not_read' && <CircleHelp aria-hidden className="mt-0.5 size-4 shrink-0" />}
        {text}
      </p>
      {unread !== null && (
        <p className="text-fg-muted">
          Not read <MomentText iso={unread.at} />: {unread.reason}
        </p>
      )}
      {featuredPrice !== null && <p className="text-fg-muted">{featuredPrice.text}</p>}
    </div>
  );
}
