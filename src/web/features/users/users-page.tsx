import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { User } from '#contract/users.ts';
import { announce } from '#web/lib/announce.ts';
import { Freshness } from '#web/ui/freshness.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { ActiveCard } from './active-card.tsx';
import { PendingCard } from './pending-card.tsx';
import {
  useApprove,
  useDisableTwoFactor,
  useIsMe,
  usersQuery,
  useSendVerification,
  useWithdrawApproval,
} from './queries.ts';
import { TwoFactorAdvice } from './two-factor-advice.tsx';
import { useUserDialog } from './use-user-dialog.ts';
import { UserDialogs } from './user-dialogs.tsx';
import { keepFocus, UsersScreenContext } from './users-screen.ts';

/** All users and their roles. */
export function UsersPage(): React.JSX.Element {
  const users = useQuery(usersQuery);
  const [dialog, setDialog] = useUserDialog(users.data);
  const acts = useUserActs();
  const screen = { ...acts, openDialog: setDialog };
  const refresh = async (): Promise<void> => {
    if ((await users.refetch()).isSuccess) announce('Users updated');
  };
  return (
    <UsersScreenContext value={screen}>
      <div className="flex flex-col gap-3">
        <PageHeading
          title="User Management"
          subtitle="Manage user access, permissions, and security settings"
        >
          <Freshness updatedAt={users.dataUpdatedAt} refreshing={users.isRefetching} onRefresh={refresh} />
        </PageHeading>
        <TwoFactorAdvice />
        <QueryView
          query={users}
          loading={
            <p role="status" className="py-8 text-center text-fg-muted">
              Loading users...
            </p>
          }
          failed={(error, retry) => (
            <LoadFailed
              title={users.data === undefined ? 'Failed to load the users' : 'Failed to refresh the users'}
              error={error}
              onRetry={retry}
              retrying={users.isFetching}
            />
          )}
        >
          {(all) => <Cards users={all} isFetching={users.isFetching} refetch={users.refetch} />}
        </QueryView>
      </div>
      <UserDialogs dialog={dialog} users={users.data ?? []} onClose={() => setDialog(null)} />
    </UsersScreenContext>
  );
}

type CardsProps = { users: readonly User[]; isFetching: boolean; refetch: () => unknown };

function Cards({ users, ...rest }: CardsProps): React.JSX.Element {
  const pending = useMemo(() => users.filter(({ approved }) => !approved), [users]);
  const active = useMemo(() => users.filter(({ approved }) => approved), [users]);
  return (
    <>
      {pending.length > 0 && <PendingCard users={pending} />}
      <ActiveCard users={active} {...rest} />
      <p className="text-sm text-fg-muted">
        Colleagues register at{' '}
        <span className="font-mono break-all text-fg">{`${window.location.origin}/auth?tab=register`}</span>{' '}
        and then appear here for approval.
      </p>
    </>
  );
}

/** Actions without a dialog. Not in the buttons: the row may be removed before the action ends. */
function useUserActs() {
  const approve = useApprove();
  const withdraw = useWithdrawApproval();
  const disable = useDisableTwoFactor();
  const send = useSendVerification();
  const isMe = useIsMe();
  return {
    approve: (user: User) => approve.mutate(user, { onSuccess: keepFocus }),
    approving: approve.isPending ? approve.variables : null,
    withdraw: (user: User) => withdraw.mutate(user, { onSuccess: keepFocus }),
    disableTwoFactor: (user: User) => disable.mutate(user),
    sendVerification: (user: User) => send.mutate(user),
    isMe,
  };
}
