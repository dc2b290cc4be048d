import { type UseMutationResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { SessionUser } from '#contract/session.ts';
import { codeProblem, isCodeWanted } from '#web/features/auth/queries.ts';
import { useCodeStep } from '#web/features/auth/use-code-step.ts';
import { callOnce, errorText } from '#web/lib/api.ts';
import { loginWaysQuery } from '#web/lib/provider-login.ts';
import { settleLogIn } from '#web/lib/reauth-store.ts';
import { clearSession, sessionQuery } from '#web/lib/session.ts';
import { Button, buttonClasses } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { SecondFactorField, withoutSpaces } from '#web/ui/second-factor-field.tsx';
import { TextField } from '#web/ui/text-field.tsx';

type Attempt = { readonly password: string; readonly twoFactorToken: string };

/** Asks the same user to log in again. */
export function LogInDialog({ user }: { user: SessionUser }): React.JSX.Element {
  const ways = useQuery(loginWaysQuery).data;
  const hasPasswordLogin = ways?.directLogin !== 'administrators' || user.role === 'admin';
  return user.isProviderOnly || !hasPasswordLogin ? (
    <ProviderAgain user={user} />
  ) : (
    <PasswordAgain user={user} />
  );
}

/** A user who cannot log in with a password logs in with the identity provider, on the login page. */
function ProviderAgain({ user }: { user: SessionUser }): React.JSX.Element {
  const client = useQueryClient();
  const check = useMutation({
    mutationFn: () => callOnce(SessionUser, 'GET', '/api/user'),
    onSuccess: (found) => {
      // The calls that wait are this user's alone.
      if (found.id !== user.id) return clearSession(client);
      client.setQueryData(sessionQuery.queryKey, found);
      settleLogIn(true);
    },
  });
  return (
    <SessionEndedDialog
      description="Log in again with your identity provider in a new tab, then come back here."
      onSubmit={() => check.mutate()}
      submit={{ text: 'Continue', pendingText: 'Checking...', isPending: check.isPending }}
    >
      {check.error !== null && (
        <Callout tone="danger" role="alert" title="Not logged in yet" className="mb-4">
          <p className="text-fg-muted">{errorText(check.error)}</p>
        </Callout>
      )}
      <a
        href="/auth"
        target="_blank"
        rel="noopener"
        className={buttonClasses({ look: 'outline', className: 'self-start' })}
      >
        Open the login page
      </a>
    </SessionEndedDialog>
  );
}

function PasswordAgain({ user }: { user: SessionUser }): React.JSX.Element {
  const login = useLoginAgain(user);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const asksForCode = useCodeStep(login.error);
  const codeField = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (asksForCode) codeField.current?.focus();
  }, [asksForCode]);
  const failure = login.error !== null && !isCodeWanted(login.error) ? login.error : null;
  return (
    <SessionEndedDialog
      description="Log in again to continue."
      onSubmit={() => login.mutate({ password, twoFactorToken: withoutSpaces(code) })}
      submit={{ text: 'Login', pendingText: 'Logging in...', isPending: login.isPending }}
    >
      <div className="flex flex-col gap-4">
        {failure !== null && (
          <Callout tone="danger" role="alert" title="Login failed">
            <p className="text-fg-muted">{errorText(failure)}</p>
          </Callout>
        )}
        {/* For the password manager; the focus starts in the password field. */}
        <TextField
          label="Email address"
          autoComplete="username"
          value={user.username}
          readOnly
          tabIndex={-1}
        />
        <PasswordField
          label="Password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        {asksForCode && (
          <SecondFactorField ref={codeField} value={code} onChange={setCode} error={codeProblem(failure)} />
        )}
      </div>
    </SessionEndedDialog>
  );
}

interface SessionEndedDialogProps {
  /** How to log in again, as a sentence. */
  readonly description: string;
  readonly onSubmit: () => void;
  readonly submit: { readonly text: string; readonly pendingText: string; readonly isPending: boolean };
  readonly children: React.ReactNode;
}

/** The dialog over the page of an ended session, for every way to log in. */
function SessionEndedDialog({
  description,
  onSubmit,
  submit,
  children,
}: SessionEndedDialogProps): React.JSX.Element {
  const client = useQueryClient();
  return (
    <Dialog
      open
      size="small"
      // The waiting calls end with the error they got; typed text stays, and the next call opens the dialog again.
      onClose={() => settleLogIn(false)}
      title="Your session has ended"
      description={`${description} Your unsaved changes are still here.`}
      onSubmit={onSubmit}
      footer={
        <>
          <Button look="outline" onClick={() => clearSession(client)}>
            Log in as a different user
          </Button>
          <Button type="submit" pending={submit.isPending} pendingText={submit.pendingText}>
            {submit.text}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}

function useLoginAgain({ username }: SessionUser): UseMutationResult<SessionUser, Error, Attempt> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (attempt) => callOnce(SessionUser, 'POST', '/api/login', { username, ...attempt }),
    onSuccess: (user) => {
      // The role may have changed; the data on screen stays.
      client.setQueryData(sessionQuery.queryKey, user);
      settleLogIn(true);
    },
  });
}
