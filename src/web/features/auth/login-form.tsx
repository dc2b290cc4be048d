import { zodResolver } from '@hookform/resolvers/zod';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { type UseFormSetFocus, useForm } from 'react-hook-form';
import { LoginPayload } from '#contract/session.ts';
import { announce } from '#web/lib/announce.ts';
import { errorText } from '#web/lib/api.ts';
import { Button, buttonClasses } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { withoutSpaces } from '#web/ui/second-factor-field.tsx';
import { SecondFactorOfForm } from '#web/ui/second-factor-of-form.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { codeProblem, isCodeWanted, isNewPasswordWanted, useLogin } from './queries.ts';
import { useCodeStep } from './use-code-step.ts';

type LoginFormProps = {
  /** The password was right and must be replaced before the login. */
  onNewPasswordWanted: (login: LoginPayload) => void;
};

/** Email address and password; a code once the server asks for one. */
export function LoginForm({ onNewPasswordWanted }: LoginFormProps): React.JSX.Element {
  const login = useLogin();
  const form = useForm<LoginPayload>({
    resolver: zodResolver(LoginPayload),
    defaultValues: { username: '', password: '', twoFactorToken: '' },
    mode: 'onTouched',
  });
  const { errors } = form.formState;
  const asksForCode = useCodeStep(login.error);
  useFocusAfterFailure(login.error, asksForCode, form.setFocus);
  const submit = form.handleSubmit((payload) =>
    login.mutate(
      { ...payload, twoFactorToken: withoutSpaces(payload.twoFactorToken) },
      { onError: (error) => isNewPasswordWanted(error) && onNewPasswordWanted(payload) },
    ),
  );
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4" aria-label="Login">
      {login.error !== null && !isCodeWanted(login.error) && (
        <Callout tone="danger" role="alert" title="Login failed">
          <p className="text-fg-muted">{errorText(login.error)}</p>
        </Callout>
      )}
      <TextField
        label="Email address"
        type="email"
        autoComplete="username"
        required
        error={errors.username?.message}
        {...form.register('username')}
      />
      <PasswordField
        label="Password"
        autoComplete="current-password"
        required
        error={errors.password?.message}
        {...form.register('password')}
      />
      {asksForCode && <SecondFactorOfForm control={form.control} error={codeProblem(login.error)} />}
      <Button type="submit" pending={login.isPending} pendingText="Logging in...">
        Login
      </Button>
      <Link
        to="/reset-password"
        className={buttonClasses({ look: 'quiet', className: 'self-center text-link' })}
      >
        Forgot your password?
      </Link>
    </form>
  );
}

// Focus the next field to fill: the code once it is required (the password was right then), else the password.
function useFocusAfterFailure(
  error: Error | null,
  asksForCode: boolean,
  setFocus: UseFormSetFocus<LoginPayload>,
): void {
  useEffect(() => {
    if (error === null) return;
    if (isCodeWanted(error)) announce('Enter 6-digit code');
    setFocus(asksForCode ? 'twoFactorToken' : 'password', { shouldSelect: true });
  }, [error, asksForCode, setFocus]);
}
