import { queryOptions, type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { FirstAdmin } from '#contract/first-admin.ts';
import {
  type ChangePasswordPayload,
  type LoginPayload,
  Registered,
  type RegisterPayload,
  SessionUser,
  VerifiedEmail,
} from '#contract/session.ts';
import { ApiError, call, callOnce, errorText, NoAnswerError } from '#web/lib/api.ts';
import { beginSession, sessionQuery } from '#web/lib/session.ts';
import { dismissToasts, toast } from '#web/lib/use-toast.ts';

/** The server's words when the password was right and a code is still missing. */
const CODE_WANTED = '2FA token required';

/** Whether a failed login is only a question for the second factor. */
export function isCodeWanted(error: Error | null): boolean {
  return error?.message.includes(CODE_WANTED) ?? false;
}

/** What is wrong with the code alone; the password was right then. */
export function codeProblem(error: Error | null): string | undefined {
  return error instanceof ApiError ? error.fields.twoFactorToken : undefined;
}

/** Whether the password was right and its owner has to choose a new one first. */
export function isNewPasswordWanted(error: Error | null): boolean {
  return error instanceof ApiError && error.code === 'password_change_required';
}

/** How one becomes the first administrator. Asked anew at each visit: the answer changes with the first account. */
export const firstAdminQuery = queryOptions({
  queryKey: ['first-admin'],
  queryFn: () => callOnce(FirstAdmin, 'GET', '/api/first-admin'),
  gcTime: 0,
});

/** Signs in. Being asked for a code or a new password is a step, not a failure: no toast then. */
export function useLogin(): UseMutationResult<SessionUser, Error, LoginPayload> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (payload) => call(SessionUser, 'POST', '/api/login', payload),
    onMutate: dismissToasts,
    onSuccess: (user) => beginSession(client, user),
    onError: (error) => {
      if (!isCodeWanted(error) && !isNewPasswordWanted(error))
        toast('Login failed', errorText(error), 'destructive');
    },
  });
}

/** Creates an account. One that is approved at once is signed in; any other waits for an administrator. */
export function useRegister(): UseMutationResult<Registered, Error, RegisterPayload> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (payload) => call(Registered, 'POST', '/api/register', payload),
    onMutate: dismissToasts,
    onSuccess: async (registered) => {
      if (!registered.approved) {
        toast('Registration successful', whatHappensNext(registered));
        return;
      }
      toast('Welcome!', 'Your account has been created successfully.');
      // The answer to a registration is no whole user: the session's is.
      await client.refetchQueries({ queryKey: sessionQuery.queryKey });
    },
    onError: (error) => toast('Registration failed', errorText(error), 'destructive'),
  });
}

/** What somebody who has registered and is not signed in is told. */
export function whatHappensNext(registered: Registered): string {
  return registered.message ?? 'Please wait for administrator approval.';
}

/** Replaces a password and signs in. Being asked for a code is a step, not a failure: no toast then. */
export function useChangePassword(): UseMutationResult<SessionUser, Error, ChangePasswordPayload> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (payload) => call(SessionUser, 'POST', '/api/change-password', payload),
    onMutate: dismissToasts,
    onSuccess: (user) => {
      beginSession(client, user);
      toast('Password changed', 'Use the new password from now on.');
    },
    onError: (error) => {
      if (!isCodeWanted(error)) toast('Could not change the password', errorText(error), 'destructive');
    },
  });
}

/** Asks the server to take a verification link. Once per page and link: it is a call that changes something. */
export function verificationQuery(token: string) {
  return queryOptions({
    queryKey: ['verify-email', token],
    queryFn: () => call(VerifiedEmail, 'GET', `/api/verify-email/${encodeURIComponent(token)}`),
  });
}

/** What is said of a link that did not work. */
export function verificationFailure(error: Error): string {
  if (error instanceof NoAnswerError) return 'Failed to verify email';
  return error instanceof ApiError && error.code !== null ? error.text : 'Verification failed';
}
