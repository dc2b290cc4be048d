import {
  type QueryClient,
  queryOptions,
  type UseMutationResult,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { z } from 'zod';
import { Account, type PasswordAndCode, RecoveryCodes, TwoFactorBegun } from '#contract/account.ts';
import { type ChangePasswordPayload, SessionUser } from '#contract/session.ts';
import { type EditProfile, type Session, Sessions, SessionsEnded } from '#contract/sessions.ts';
import { Done } from '#contract/users.ts';
import { call, errorText } from '#web/lib/api.ts';
import { countOf } from '#web/lib/format.ts';
import { renewSession, sessionQuery } from '#web/lib/session.ts';
import { toast } from '#web/lib/use-toast.ts';

const ACCOUNT_KEY = ['account'] as const;
const SESSIONS_KEY = ['own-sessions'] as const;

/** The user's own account, with its security state. */
export const accountQuery = queryOptions({
  queryKey: ACCOUNT_KEY,
  queryFn: () => call(Account, 'GET', '/api/account'),
});

/** The active sessions of the account. */
export const sessionsQuery = queryOptions({
  queryKey: SESSIONS_KEY,
  queryFn: () => call(Sessions, 'GET', '/api/sessions'),
});

/** Saves name and phone number, as shown in the sidebar and on every page. */
export function useEditProfile(): UseMutationResult<SessionUser, Error, EditProfile> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (profile) => call(SessionUser, 'PUT', '/api/account/profile', profile),
    onSuccess: async (user) => {
      client.setQueryData(sessionQuery.queryKey, user);
      await client.invalidateQueries({ queryKey: ACCOUNT_KEY });
      toast('Profile saved', 'Your name and phone number are up to date.');
    },
    onError: (error) => toast('Could not save the profile', errorText(error), 'destructive'),
  });
}

/** Turns the weekly summary on or off. @param fullName of the profile, which is saved as a whole */
export function useWeeklySummary(fullName: string): UseMutationResult<SessionUser, Error, boolean> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (weeklySummary) =>
      call(SessionUser, 'PUT', '/api/account/profile', { fullName, weeklySummary }),
    onSuccess: () => client.invalidateQueries({ queryKey: ACCOUNT_KEY }),
    onError: (error) => toast('Could not save the emails', errorText(error), 'destructive'),
  });
}

/** Changes the password. The server ends every session and starts a new one here. */
export function useChangeOwnPassword(): UseMutationResult<SessionUser, Error, ChangePasswordPayload> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (payload) => renewSession(() => call(SessionUser, 'POST', '/api/change-password', payload)),
    onSuccess: (user) => {
      client.setQueryData(sessionQuery.queryKey, user);
      toast('Password changed', 'Other sessions have ended.');
      void client.invalidateQueries({ queryKey: SESSIONS_KEY });
    },
    onError: (error) => toast('Could not change the password', errorText(error), 'destructive'),
  });
}

/** A secret for an authenticator app. It is stored only in the dialog that shows it. */
export function useStartTwoFactor(): UseMutationResult<TwoFactorBegun, Error, string> {
  return useMutation({
    mutationFn: (password) => call(TwoFactorBegun, 'POST', '/api/account/two-factor/begin', { password }),
    gcTime: 0,
  });
}

export function useConfirmTwoFactor(): UseMutationResult<RecoveryCodes, Error, string> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (code) =>
      renewSession(() => call(RecoveryCodes, 'POST', '/api/account/two-factor/confirm', { code })),
    // Not awaited: the codes are shown only once, so a failure here must not hide them.
    onSuccess: () => void readAgain(client),
    gcTime: 0,
  });
}

/** @param onDone once it is off and the page is updated */
export function useDisableTwoFactor(onDone: () => void): UseMutationResult<unknown, Error, PasswordAndCode> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (proof) =>
      renewSession(() => call(z.unknown(), 'POST', '/api/account/two-factor/disable', proof)),
    onSuccess: async () => {
      await readAgain(client);
      onDone();
      toast('Two-factor authentication is off', 'You now log in with your password only.');
    },
  });
}

/** Creates new codes; the old ones no longer work. */
export function useNewRecoveryCodes(): UseMutationResult<RecoveryCodes, Error, PasswordAndCode> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (proof) => call(RecoveryCodes, 'POST', '/api/account/two-factor/recovery-codes', proof),
    // Not awaited: the codes are shown only once, so a failure here must not hide them.
    onSuccess: () => void readAgain(client),
    gcTime: 0,
  });
}

/** Reloads account and session, which contain the second factor; other sessions may have ended. */
async function readAgain(client: QueryClient): Promise<void> {
  await Promise.all(
    [ACCOUNT_KEY, SESSIONS_KEY, sessionQuery.queryKey].map((queryKey) =>
      client.invalidateQueries({ queryKey }),
    ),
  );
}

/** @param nameOf the session's name in the list */
export function useEndSession(
  nameOf: (session: Session) => string,
): UseMutationResult<unknown, Error, Session> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }) => call(Done, 'DELETE', `/api/sessions/${id}`),
    onSuccess: (_, session) => toast('Session ended', `${nameOf(session)} has to log in again.`),
    onError: (error) => toast('Could not end the session', errorText(error), 'destructive'),
    onSettled: () => client.invalidateQueries({ queryKey: SESSIONS_KEY }),
  });
}

export function useEndOtherSessions(): UseMutationResult<SessionsEnded, Error, void> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(SessionsEnded, 'POST', '/api/sessions/end-others'),
    onSuccess: ({ ended }) =>
      toast('Other sessions ended', `${countOf(ended, 'session has', 'sessions have')} to log in again.`),
    onError: (error) => toast('Could not end the sessions', errorText(error), 'destructive'),
    onSettled: () => client.invalidateQueries({ queryKey: SESSIONS_KEY }),
  });
}
