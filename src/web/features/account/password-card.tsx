import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect } from 'react';
import { type UseFormReturn, useForm } from 'react-hook-form';
import { z } from 'zod';
import type { Account } from '#contract/account.ts';
import { LoginPayload, Password } from '#contract/session.ts';
import { ApiError, errorText } from '#web/lib/api.ts';
import { PASSWORD_HINT } from '#web/lib/password-hint.ts';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { withoutSpaces } from '#web/ui/second-factor-field.tsx';
import { SecondFactorOfForm } from '#web/ui/second-factor-of-form.tsx';
import { AccountSection } from './account-section.tsx';
import { useChangeOwnPassword } from './queries.ts';

const EMPTY = { password: '', newPassword: '', twoFactorToken: '' };

/** @param asksForCode true for an account with a second factor */
function fieldsOf(asksForCode: boolean) {
  return z.object({
    password: LoginPayload.shape.password,
    newPassword: Password,
    twoFactorToken: asksForCode ? z.string().trim().min(1, 'Enter the code') : z.string(),
  });
}
type Fields = z.input<ReturnType<typeof fieldsOf>>;

/** Changes the password; all other sessions of the account end. */
export function PasswordCard({ account }: { account: Account }): React.JSX.Element {
  const change = useChangeOwnPassword();
  const { username } = account.profile;
  const asksForCode = account.twoFactorEnabled;
  const form = useForm<Fields>({
    resolver: zodResolver(fieldsOf(asksForCode)),
    defaultValues: EMPTY,
    mode: 'onTouched',
  });
  const hasFieldErrors = useAnswerAtItsField(form, change.error);
  const submit = form.handleSubmit(({ password, newPassword, twoFactorToken }) => {
    const code = asksForCode ? { twoFactorToken: withoutSpaces(twoFactorToken) } : {};
    change.mutate({ username, password, newPassword, ...code }, { onSuccess: () => form.reset(EMPTY) });
  });
  return (
    <AccountSection title="Password" subtitle="You stay logged in here. All other sessions end.">
      <form noValidate onSubmit={submit} aria-label="Password" className="flex max-w-md flex-col gap-4">
        {change.error !== null && !hasFieldErrors && (
          <Callout tone="danger" role="alert" title="Could not change the password">
            <p className="text-fg-muted">{errorText(change.error)}</p>
          </Callout>
        )}
        {/* For password managers, which store a password with its username. */}
        <input type="hidden" autoComplete="username" value={username} />
        <PasswordFields form={form} asksForCode={asksForCode} />
        <Button
          type="submit"
          look="outline"
          className="self-start"
          pending={change.isPending}
          pendingText="Changing password..."
        >
          Change password
        </Button>
      </form>
    </AccountSection>
  );
}

type PasswordFieldsProps = { form: UseFormReturn<Fields>; asksForCode: boolean };

function PasswordFields({ form, asksForCode }: PasswordFieldsProps): React.JSX.Element {
  const { errors } = form.formState;
  return (
    <>
      <PasswordField
        label="Current password"
        autoComplete="current-password"
        required
        error={errors.password?.message}
        {...form.register('password')}
      />
      <PasswordField
        label="New password"
        hint={PASSWORD_HINT}
        autoComplete="new-password"
        required
        error={errors.newPassword?.message}
        {...form.register('newPassword')}
      />
      {asksForCode && <SecondFactorOfForm control={form.control} />}
    </>
  );
}

/** Server errors by field. The call is also a login, whose errors name no field. */
function problemsOf(error: Error | null): Partial<Record<keyof Fields, string>> {
  if (!(error instanceof ApiError)) return {};
  const { newPassword, twoFactorToken } = error.fields;
  if (newPassword !== undefined) return { newPassword };
  if (twoFactorToken !== undefined) return { twoFactorToken };
  if (error.code === 'two_factor_required') return { twoFactorToken: 'Enter the code' };
  return error.code === 'invalid_credentials' ? { password: 'This password is wrong.' } : {};
}

/** @returns whether the error belongs to a field */
function useAnswerAtItsField(
  { setError, setFocus }: Pick<UseFormReturn<Fields>, 'setError' | 'setFocus'>,
  error: Error | null,
): boolean {
  useEffect(() => {
    for (const [name, message] of Object.entries(problemsOf(error)) as [keyof Fields, string][]) {
      setError(name, { type: 'server', message });
      setFocus(name);
    }
  }, [error, setError, setFocus]);
  return Object.keys(problemsOf(error)).length > 0;
}
