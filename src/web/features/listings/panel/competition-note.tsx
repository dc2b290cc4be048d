import { useQuery } from '@tanstack/react-query';
import { CircleHelp } from 'lucide-react';
import type { Marketplace } from '#domain/marketplaces.ts';
import { MomentText } from '#web/ui/moment-text.tsx';
import { BuyBoxNote } from './buy-box-note.tsx';
import { competitionQuery } from './queries.ts';

type CompetitionNoteProps = { id: string; marketplace: Marketplace | null };

/** What is known about the competitors of a listing, since when, who holds the buy box, and what it takes to be featured. */
export function CompetitionNote({ id, marketplace }: CompetitionNoteProps): React.JSX.Element | null {
  const { data } = useQuery(competitionQuery(id));
  if (data === undefined) return null;
  const { status, text, unread, buyBox, featuredPrice } = data;
  return (
    <div className="flex flex-col gap-1 text-sm">
      <p className={status === 'not_read' ? 'flex items-start gap-1.5 text-warning-text' : ''}>
        {status === 'not_read' && <CircleHelp aria-hidden className="mt-0.5 size-4 shrink-0" />}
        {text}
      </p>
      {unread !== null && (
        <p className="text-fg-muted">
          Could not check competitors <MomentText iso={unread.at} />: {unread.reason}
        </p>
      )}
      {buyBox !== null && <BuyBoxNote buyBox={buyBox} marketplace={marketplace} />}
      {featuredPrice !== null && <p className="text-fg-muted">{featuredPrice.text}</p>}
    </div>
  );
}
