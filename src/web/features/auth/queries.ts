import { queryOptions, type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { FirstAdmin } from '#contract/first-admin.ts';
import {
  type ChangePasswordPayload,
  type ForgotPasswordPayload,
  type LoginPayload,
  PasswordLinkRequested,
  Registered,
  type RegisterPayload,
  type ResetPasswordPayload,
  SessionUser,
  VerifiedEmail,
} from '#contract/session.ts';
import { Done } from '#contract/users.ts';
import { announce } from '#web/lib/announce.ts';
import { ApiError, call, callOnce, errorText, NoAnswerError } from '#web/lib/api.ts';
import { sessionQuery, startSession } from '#web/lib/session.ts';
import { dismissToasts, toast } from '#web/lib/use-toast.ts';

/** The server's message when the password was right and a code is still missing. */
const CODE_WANTED = '2FA token required';

/** Whether a failed login only lacks the second factor. */
export function isCodeWanted(error: Error | null): boolean {
  return error?.message.includes(CODE_WANTED) ?? false;
}

/** The error of the code alone; the password was right then. */
export function codeProblem(error: Error | null): string | undefined {
  return error instanceof ApiError ? error.fields.twoFactorToken : undefined;
}

/** Whether the password was right and must be replaced first. */
export function isNewPasswordWanted(error: Error | null): boolean {
  return error instanceof ApiError && error.code === 'password_change_required';
}

/** How to become the first administrator. Not cached: the answer changes with the first account. */
export const firstAdminQuery = queryOptions({
  queryKey: ['first-admin'],
  queryFn: () => callOnce(FirstAdmin, 'GET', '/api/first-admin'),
  gcTime: 0,
});

/** Logs in. A request for a code or a new password is a step, not a failure: no toast then. */
export function useLogin(): UseMutationResult<SessionUser, Error, LoginPayload> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (payload) => call(SessionUser, 'POST', '/api/login', payload),
    onMutate: dismissToasts,
    onSuccess: (user) => startSession(client, user),
    onError: (error) => {
      if (!isCodeWanted(error) && !isNewPasswordWanted(error))
        toast('Login failed', errorText(error), 'destructive');
    },
  });
}

/** Creates an account. An approved one is logged in at once; any other waits for an administrator. */
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
      // The response of a registration is not a complete user; the session is.
      await client.refetchQueries({ queryKey: sessionQuery.queryKey });
    },
    onError: (error) => toast('Registration failed', errorText(error), 'destructive'),
  });
}

/** The message after a registration without login. */
export function whatHappensNext(registered: Registered): string {
  return registered.message ?? 'Please wait for administrator approval.';
}

/** Replaces a password and logs in. A request for a code is a step, not a failure: no toast then. */
export function useChangePassword(): UseMutationResult<SessionUser, Error, ChangePasswordPayload> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (payload) => call(SessionUser, 'POST', '/api/change-password', payload),
    onMutate: dismissToasts,
    onSuccess: (user) => {
      startSession(client, user);
      toast('Password changed', 'Use the new password from now on.');
    },
    onError: (error) => {
      if (!isCodeWanted(error)) toast('Could not change the password', errorText(error), 'destructive');
    },
  });
}

/** Asks for a link to choose a new password. */
export function useForgotPassword(): UseMutationResult<PasswordLinkRequested, Error, ForgotPasswordPayload> {
  return useMutation({
    mutationFn: (payload) => call(PasswordLinkRequested, 'POST', '/api/forgot-password', payload),
    onSuccess: ({ message }) => announce(message),
  });
}

/** Chooses a new password with the link from an email. A request for a code is a step, not a failure. */
export function useResetPassword(): UseMutationResult<z.output<typeof Done>, Error, ResetPasswordPayload> {
  return useMutation({
    mutationFn: (payload) => call(Done, 'POST', '/api/reset-password', payload),
    onMutate: dismissToasts,
    onSuccess: ({ message }) => announce(message),
  });
}

/** Sends a verification link to the server. Once per page and link, because the call changes data. */
export function verificationQuery(token: string) {
  return queryOptions({
    queryKey: ['verify-email', token],
    queryFn: () => call(VerifiedEmail, 'GET', `/api/verify-email/${encodeURIComponent(token)}`),
  });
}

/** The message for a failed link. */
export function verificationFailure(error: Error): string {
  if (error instanceof NoAnswerError) return 'Failed to verify email';
  return error instanceof ApiError && error.code !== null ? error.text : 'Verification failed';
}
