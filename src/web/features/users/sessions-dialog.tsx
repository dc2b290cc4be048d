import { useQuery } from '@tanstack/react-query';
import type { Session } from '#contract/sessions.ts';
import type { User } from '#contract/users.ts';
import { countOf } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { MomentText } from '#web/ui/moment-text.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { useEndSessions, useIsMe, userSessionsQuery } from './queries.ts';
import { nameOf } from './users-screen.ts';

/** Lists the sessions of a user before ending all of them. */
export function SessionsDialog({ user, onClose }: { user: User; onClose: () => void }): React.JSX.Element {
  const sessions = useQuery(userSessionsQuery(user));
  const end = useEndSessions();
  const isMe = useIsMe()(user);
  const count = sessions.data?.length ?? 0;
  return (
    <Dialog
      open
      onClose={onClose}
      size="small"
      title={`Sessions of ${nameOf(user)}`}
      description={
        isMe
          ? 'You are logged out everywhere, including here, and can log in again at once.'
          : 'This logs the user out everywhere. They can log in again at once with their password, and a code if 2FA is on.'
      }
      footer={
        <>
          <Button look="outline" onClick={onClose}>
            {count === 0 ? 'Close' : 'Cancel'}
          </Button>
          {count > 0 && (
            <Button
              look="danger"
              pending={end.isPending}
              pendingText="Ending..."
              onClick={() => end.mutate(user, { onSuccess: onClose })}
            >
              End {countOf(count, 'session', 'sessions')}
            </Button>
          )}
        </>
      }
    >
      <QueryView
        query={sessions}
        loading={
          <p role="status" className="text-fg-muted">
            Loading the sessions...
          </p>
        }
        failed={(error, retry) => (
          <LoadFailed
            title="Failed to load the sessions"
            error={error}
            onRetry={retry}
            retrying={sessions.isFetching}
          />
        )}
      >
        {(all) =>
          all.length === 0 ? (
            <p role="status">{nameOf(user)} has no sessions.</p>
          ) : (
            <SessionList sessions={all} />
          )
        }
      </QueryView>
    </Dialog>
  );
}

function SessionList({ sessions }: { sessions: readonly Session[] }): React.JSX.Element {
  return (
    <>
      <p role="status" className="font-medium">
        {countOf(sessions.length, 'session', 'sessions')}
      </p>
      <ul aria-label="Sessions" className="divide-y">
        {sessions.map(({ id, client, address, lastSeenAt }) => (
          <li key={id} className="flex flex-wrap justify-between gap-x-4 py-2">
            <span>{client ?? 'Unknown browser'}</span>
            <span className="text-fg-muted tabular-nums">
              {address ?? 'Unknown address'}, <MomentText iso={lastSeenAt} />
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
