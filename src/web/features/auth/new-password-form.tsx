import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect } from 'react';
import { useForm } from 'react-hook-form';
import type { z } from 'zod';
import { ChangePasswordPayload, type LoginPayload, PASSWORD_MIN } from '#contract/session.ts';
import { announce } from '#web/lib/announce.ts';
import { ApiError, errorText } from '#web/lib/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { CODE_HINT, CodeField } from './code-field.tsx';
import { isCodeWanted, useChangePassword } from './queries.ts';
import { useCodeStep } from './use-code-step.ts';

const FormFields = ChangePasswordPayload.pick({ newPassword: true, twoFactorToken: true });
type Fields = z.input<typeof FormFields>;

type NewPasswordFormProps = {
  /** Name and temporary password as they were just typed and found right. */
  login: Pick<LoginPayload, 'username' | 'password'>;
  onBack: () => void;
};

/** The second step of a login after an administrator's reset. */
export function NewPasswordForm({ login, onBack }: NewPasswordFormProps): React.JSX.Element {
  const change = useChangePassword();
  const { register, handleSubmit, setError, setFocus, formState } = useForm<Fields>({
    resolver: zodResolver(FormFields),
    defaultValues: { newPassword: '', twoFactorToken: '' },
    mode: 'onTouched',
  });
  const { error } = change;
  const asksForCode = useCodeStep(error);
  useEffect(() => setFocus('newPassword'), [setFocus]);
  useEffect(() => {
    if (isCodeWanted(error)) announce(CODE_HINT);
    const message = error instanceof ApiError ? error.fields.newPassword : undefined;
    if (message !== undefined) {
      setError('newPassword', { type: 'server', message });
      setFocus('newPassword');
    } else if (error !== null && asksForCode) setFocus('twoFactorToken', { shouldSelect: true });
  }, [error, asksForCode, setError, setFocus]);
  const { username, password } = login;
  return (
    <form
      noValidate
      aria-label="Choose a new password"
      onSubmit={handleSubmit(({ newPassword, twoFactorToken = '' }) =>
        change.mutate({
          ...{ username, password, newPassword },
          ...(asksForCode ? { twoFactorToken: twoFactorToken.replaceAll(/\s/g, '') } : {}),
        }),
      )}
      className="flex flex-col gap-4"
    >
      <div>
        <h2 className="text-lg font-semibold">Choose a new password</h2>
        <p className="mt-1 text-fg-muted">
          An administrator has reset the password of <span className="wrap-anywhere">{username}</span>. From
          now on only you know it.
        </p>
      </div>
      {error !== null && !isCodeWanted(error) && (
        <Notice tone="danger" role="alert" title="Password not changed">
          <p className="text-fg-muted">{errorText(error)}</p>
        </Notice>
      )}
      {/* For password managers, which keep a password by its name. */}
      <input type="hidden" autoComplete="username" value={username} />
      <PasswordField
        label="New password"
        autoComplete="new-password"
        required
        hint={`At least ${PASSWORD_MIN} characters`}
        error={formState.errors.newPassword?.message}
        {...register('newPassword')}
      />
      {asksForCode && (
        <CodeField
          onSwitch={() => setFocus('twoFactorToken')}
          error={formState.errors.twoFactorToken?.message}
          {...register('twoFactorToken')}
        />
      )}
      <Button type="submit" size="large" pending={change.isPending} pendingText="Changing password...">
        Change password and log in
      </Button>
      <Button look="quiet" onClick={onBack}>
        Back to Login
      </Button>
    </form>
  );
}
