import {
  queryOptions,
  type UseMutationResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { Role } from '#contract/session.ts';
import { Sessions, SessionsEnded } from '#contract/sessions.ts';
import { RemovedUser, User, Users, VerificationLink } from '#contract/users.ts';
import { call, errorText, serverText } from '#web/lib/api.ts';
import { countOf } from '#web/lib/format.ts';
import { type Reversible, reportUndoable } from '#web/lib/recent-actions-store.ts';
import { sessionQuery } from '#web/lib/session.ts';
import { callWithStepUp, isDeclined } from '#web/lib/step-up.ts';
import { toast } from '#web/lib/use-toast.ts';

const USERS_KEY = ['users'] as const;

/** Every account. */
export const usersQuery = queryOptions({
  queryKey: USERS_KEY,
  queryFn: () => call(Users, 'GET', '/api/users'),
});

/** The active sessions of a user. Not cached. */
export function userSessionsQuery({ id }: User) {
  return queryOptions({
    queryKey: [...USERS_KEY, id, 'sessions'],
    queryFn: () => call(Sessions, 'GET', `/api/users/${id}/sessions`),
    gcTime: 0,
  });
}

/** Whether this account is the logged-in one. */
export function useIsMe(): (user: User) => boolean {
  const me = useQuery(sessionQuery).data?.id;
  return ({ id }) => id === me;
}

type ToastText = readonly [title: string, text: string];

type Act<Input, Answer> = {
  readonly run: (input: Input) => Promise<Answer>;
  readonly done: ToastText | ((input: Input, answer: Answer) => ToastText);
  /** Undoes it; default: no Undo. */
  readonly undo?: (input: Input) => Pick<Reversible, 'undo' | 'failed' | 'about'>;
  /** The text of a failure. */
  readonly failed: (error: Error) => string;
};

/** A change of an account: shows the result, and reloads the list in any case. */
function useUserAction<Input, Answer>({
  run,
  done,
  undo,
  failed,
}: Act<Input, Answer>): UseMutationResult<unknown, Error, Input> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: run,
    onSuccess: (answer, input) => {
      const [title, text] = typeof done === 'function' ? done(input, answer) : done;
      if (undo === undefined) toast(title, text);
      else reportUndoable({ title, text, ...undo(input) });
    },
    onError: (error) => {
      if (!isDeclined(error)) toast('Error', failed(error), 'destructive');
    },
    // Awaited, so that the list is current when the dialog closes.
    onSettled: () => client.invalidateQueries({ queryKey: USERS_KEY }),
  });
}

/** The server's reason, if there is one. */
const reasonOr =
  (text: string) =>
  (error: Error): string =>
    serverText(error, text);

const change = (user: User, verb: string, body?: unknown): Promise<User> =>
  callWithStepUp(User, 'PUT', `/api/users/${user.id}/${verb}`, body);

const WITHDRAWN = ['Approval withdrawn', 'The user needs approval again.'] as const;

export function useWithdrawApproval(): UseMutationResult<unknown, Error, User> {
  return useUserAction({
    run: (user) => change(user, 'withdraw-approval'),
    done: WITHDRAWN,
    failed: reasonOr('Failed to withdraw the approval'),
  });
}

/** Approves a user at once, with Undo. */
export function useApprove(): UseMutationResult<unknown, Error, User> {
  const client = useQueryClient();
  return useUserAction<User, User>({
    run: (user) => change(user, 'approve'),
    done: ({ emailVerified }) => [
      'User approved',
      `User can now access the application${emailVerified ? '' : ' once the email address is verified'}`,
    ],
    undo: (user) => ({
      about: user.email,
      failed: 'Failed to withdraw the approval',
      undo: async () => {
        try {
          await change(user, 'withdraw-approval');
          const [title, text] = WITHDRAWN;
          return { title, text };
        } finally {
          await client.invalidateQueries({ queryKey: USERS_KEY });
        }
      },
    }),
    failed: () => 'Failed to approve user',
  });
}

export function useRemoveUser(): UseMutationResult<unknown, Error, User> {
  return useUserAction({
    run: (user: User) => callWithStepUp(RemovedUser, 'DELETE', `/api/users/${user.id}`),
    done: ['User deleted', 'User has been removed'],
    failed: reasonOr('Failed to delete user'),
  });
}

/** The reason why a password was rejected is shown under its field. */
export function useResetPassword(): UseMutationResult<unknown, Error, { user: User; newPassword: string }> {
  return useUserAction({
    run: ({ user, newPassword }) => change(user, 'reset-password', { newPassword }),
    done: ['Password reset', 'User password has been updated'],
    failed: () => 'Failed to reset password',
  });
}

export function useDisableTwoFactor(): UseMutationResult<unknown, Error, User> {
  return useUserAction({
    run: (user) => change(user, 'disable-2fa'),
    done: ['2FA disabled', 'Two-factor authentication has been disabled for this user'],
    failed: () => 'Failed to disable 2FA',
  });
}

export function useChangeRole(): UseMutationResult<unknown, Error, { user: User; role: Role }> {
  return useUserAction({
    run: ({ user, role }) => change(user, 'role', { role }),
    done: ['Role updated', 'User role has been changed'],
    failed: reasonOr('Failed to update role'),
  });
}

/** Ends all sessions of a user, and shows their number. */
export function useEndSessions(): UseMutationResult<SessionsEnded, Error, User> {
  return useMutation({
    mutationFn: ({ id }) => callWithStepUp(SessionsEnded, 'DELETE', `/api/users/${id}/sessions`),
    onSuccess: ({ ended }) =>
      toast('Sessions ended', `${countOf(ended, 'session has', 'sessions have')} ended.`),
    onError: (error) => {
      if (!isDeclined(error)) toast('Error', errorText(error), 'destructive');
    },
  });
}

/** Sends the verification email again, with a new link. */
export function useSendVerification(): UseMutationResult<unknown, Error, User> {
  return useUserAction({
    run: (user) => callWithStepUp(User, 'POST', `/api/users/${user.id}/verification-email`),
    done: ['Email sent', 'It contains a new link. Earlier links no longer work.'],
    failed: reasonOr('Failed to send the email'),
  });
}

/** A new link to pass on. It is stored only in the dialog that shows it. */
export function useVerificationLink(): UseMutationResult<VerificationLink, Error, User> {
  return useMutation({
    mutationFn: (user) => callWithStepUp(VerificationLink, 'POST', `/api/users/${user.id}/verification-link`),
    onError: (error) => {
      if (!isDeclined(error)) toast('Error', errorText(error), 'destructive');
    },
    gcTime: 0,
  });
}
