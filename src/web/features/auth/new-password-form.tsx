import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect } from 'react';
import { type UseFormReturn, useForm } from 'react-hook-form';
import { z } from 'zod';
import { ChangePasswordPayload, type LoginPayload } from '#contract/session.ts';
import { announce } from '#web/lib/announce.ts';
import { ApiError, errorText } from '#web/lib/api.ts';
import { PASSWORD_HINT } from '#web/lib/password-hint.ts';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { withoutSpaces } from '#web/ui/second-factor-field.tsx';
import { SecondFactorOfForm } from '#web/ui/second-factor-of-form.tsx';
import { isCodeWanted, useChangePassword } from './queries.ts';
import { useCodeStep } from './use-code-step.ts';

const FormFields = ChangePasswordPayload.pick({ newPassword: true }).extend({ twoFactorToken: z.string() });
type Fields = z.input<typeof FormFields>;

type NewPasswordFormProps = {
  /** Name and temporary password, just verified. */
  login: Pick<LoginPayload, 'username' | 'password'>;
  onBack: () => void;
};

/** The second step of a login after an administrator's reset; with a code, if the server requires one. */
export function NewPasswordForm({ login, onBack }: NewPasswordFormProps): React.JSX.Element {
  const change = useChangePassword();
  const form = useForm<Fields>({
    resolver: zodResolver(FormFields),
    defaultValues: { newPassword: '', twoFactorToken: '' },
    mode: 'onTouched',
  });
  const { error } = change;
  const asksForCode = useCodeStep(error);
  useAnswerAtItsField(form, error);
  const { username, password } = login;
  const submit = form.handleSubmit(({ newPassword, twoFactorToken }) => {
    // Not the code of the login: a code works once.
    const code = asksForCode ? { twoFactorToken: withoutSpaces(twoFactorToken) } : {};
    change.mutate({ username, password, newPassword, ...code });
  });
  const { errors } = form.formState;
  return (
    <form noValidate aria-label="Choose a new password" onSubmit={submit} className="flex flex-col gap-4">
      <div>
        <h2 className="text-lg font-semibold">Choose a new password</h2>
        <p className="mt-1 text-fg-muted">
          An administrator reset the password of <span className="wrap-anywhere">{username}</span>. Choose a
          new one.
        </p>
      </div>
      {error !== null && !isCodeWanted(error) && (
        <Callout tone="danger" role="alert" title="Could not change the password">
          <p className="text-fg-muted">{errorText(error)}</p>
        </Callout>
      )}
      {/* For password managers, which store a password with its username. */}
      <input type="hidden" autoComplete="username" value={username} />
      <PasswordField
        label="New password"
        autoComplete="new-password"
        required
        hint={PASSWORD_HINT}
        error={errors.newPassword?.message}
        {...form.register('newPassword')}
      />
      {asksForCode && <SecondFactorOfForm control={form.control} />}
      <Button type="submit" pending={change.isPending} pendingText="Changing password...">
        Change password and log in
      </Button>
      <Button look="quiet" onClick={onBack}>
        Back to Login
      </Button>
    </form>
  );
}

/** Focuses the next field to fill; server errors are shown under their field. */
function useAnswerAtItsField({ setError, setFocus }: UseFormReturn<Fields>, error: Error | null): void {
  useEffect(() => setFocus('newPassword'), [setFocus]);
  useEffect(() => {
    if (isCodeWanted(error)) {
      announce('Enter 6-digit code');
      setFocus('twoFactorToken');
    }
    if (!(error instanceof ApiError)) return;
    for (const name of FormFields.keyof().options.toReversed()) {
      const message = error.fields[name];
      if (message === undefined) continue;
      setError(name, { type: 'server', message });
      setFocus(name);
    }
  }, [error, setError, setFocus]);
}
