import { useQuery } from '@tanstack/react-query';
import { LogOut } from 'lucide-react';
import { useRef, useState } from 'react';
import type { Session } from '#contract/sessions.ts';
import { countOf } from '#web/lib/format.ts';
import { AlertDialog } from '#web/ui/alert-dialog.tsx';
import { Button } from '#web/ui/button.tsx';
import { ListSkeleton } from '#web/ui/list-skeleton.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { AccountSection } from './account-section.tsx';
import { sessionsQuery, useEndOtherSessions, useEndSession } from './queries.ts';
import { nameOf, SessionsTable } from './sessions-table.tsx';

/** The active sessions of the account, and how to end them. */
export function SessionsCard(): React.JSX.Element {
  const sessions = useQuery(sessionsQuery);
  const end = useEndSession(nameOf);
  const [isConfirming, setConfirming] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const others = sessions.data?.filter(({ isCurrent }) => !isCurrent) ?? [];
  // The button disappears with its row, or with the last other session.
  const focusHeading = (): void => heading.current?.focus();
  return (
    <AccountSection
      title="Sessions"
      subtitle="Browsers logged in to your account. A session ends after 1 h without use, and 24 h after login."
      headingRef={heading}
      actions={
        others.length > 0 && (
          <Button look="outline" onClick={() => setConfirming(true)}>
            <LogOut aria-hidden />
            End all others
          </Button>
        )
      }
    >
      <QueryView
        query={sessions}
        loading={
          <div role="status">
            <span className="sr-only">Loading your sessions</span>
            <ListSkeleton rows={2} />
          </div>
        }
        failed={(error, retry) => (
          <LoadFailed
            title={
              sessions.data === undefined ? 'Failed to load your sessions' : 'Failed to refresh your sessions'
            }
            error={error}
            onRetry={retry}
            retrying={sessions.isFetching}
          />
        )}
      >
        {(all) => (
          <>
            <SessionsTable
              sessions={all}
              ending={end.isPending ? end.variables : null}
              onEnd={(session) => end.mutate(session, { onSettled: focusHeading })}
            />
            {others.length === 0 && <p className="text-fg-muted">You have no other sessions.</p>}
          </>
        )}
      </QueryView>
      {isConfirming && (
        <EndOthersDialog others={others} onDone={focusHeading} onClose={() => setConfirming(false)} />
      )}
    </AccountSection>
  );
}

type EndOthersDialogProps = { others: readonly Session[]; onDone: () => void; onClose: () => void };

function EndOthersDialog({ others, onDone, onClose }: EndOthersDialogProps): React.JSX.Element {
  const end = useEndOtherSessions();
  const confirm = (): void =>
    end.mutate(undefined, {
      onSuccess: () => {
        onClose();
        // After the dialog has returned the focus to a removed button.
        setTimeout(onDone);
      },
    });
  return (
    <AlertDialog
      open
      onCancel={onClose}
      title={`End ${countOf(others.length, 'other session', 'other sessions')}?`}
      action="End all others"
      pending={end.isPending}
      pendingText="Ending..."
      onConfirm={confirm}
    >
      <p>
        You stay logged in here. In the other browsers, unsaved changes can be saved after logging in again.
      </p>
    </AlertDialog>
  );
}
