import { Check } from 'lucide-react';
import type { Session } from '#contract/sessions.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { MomentText } from '#web/ui/moment-text.tsx';
import { Cell, HeadCell, PlainTable } from '#web/ui/plain-table.tsx';

/** The name of a session. */
export function nameOf({ client }: Session): string {
  return client ?? 'Unknown browser';
}

type SessionsTableProps = {
  sessions: readonly Session[];
  /** The session that is being ended. */
  ending: Session | null;
  onEnd: (session: Session) => void;
};

/** On a phone the address and the times are under the name of the browser. */
export function SessionsTable({ sessions, ending, onEnd }: SessionsTableProps): React.JSX.Element {
  return (
    <PlainTable caption="Your sessions" isBare className="-mx-4">
      <thead>
        <tr>
          <HeadCell>Browser</HeadCell>
          <HeadCell className="max-md:hidden">Address</HeadCell>
          <HeadCell className="max-md:hidden">Logged in</HeadCell>
          <HeadCell className="max-md:hidden">Last used</HeadCell>
          <HeadCell>
            <span className="sr-only">Actions</span>
          </HeadCell>
        </tr>
      </thead>
      <tbody>
        {sessions.map((session) => (
          <tr key={session.id}>
            <Cell>
              <span className="font-medium">{nameOf(session)}</span>
              <span className="flex flex-wrap gap-x-2 text-sm text-fg-muted md:hidden">
                <span className="wrap-anywhere">{session.address ?? 'Unknown address'}</span>
                <MomentText iso={session.lastSeenAt} />
              </span>
            </Cell>
            <Cell className="tabular-nums max-md:hidden">{session.address ?? 'Unknown'}</Cell>
            <Cell className="max-md:hidden">
              <MomentText iso={session.startedAt} />
            </Cell>
            <Cell className="max-md:hidden">
              <MomentText iso={session.lastSeenAt} />
            </Cell>
            <Cell className="text-right">
              {session.isCurrent ? (
                <Badge tone="success" icon={Check}>
                  This session
                </Badge>
              ) : (
                <Button
                  look="outline"
                  aria-label={`End the session of ${nameOf(session)}, ${session.address ?? 'unknown address'}`}
                  pending={ending?.id === session.id}
                  pendingText="Ending..."
                  onClick={() => onEnd(session)}
                >
                  End
                </Button>
              )}
            </Cell>
          </tr>
        ))}
      </tbody>
    </PlainTable>
  );
}
