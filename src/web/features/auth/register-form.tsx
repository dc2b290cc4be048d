import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect } from 'react';
import { type UseFormReturn, useForm } from 'react-hook-form';
import type { z } from 'zod';
import { type Registered, RegisterPayload } from '#contract/session.ts';
import { ApiError, errorText } from '#web/lib/api.ts';
import { PASSWORD_HINT } from '#web/lib/password-hint.ts';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { useRegister } from './queries.ts';

const FormFields = RegisterPayload.omit({ username: true, setupToken: true });
type Fields = z.input<typeof FormFields>;

type RegisterFormProps = {
  /** From the one-time setup link; undefined without one. */
  setupToken: string | undefined;
  onWaiting: (registered: Registered) => void;
};

/** Full name, email address (the username too), phone and password. */
export function RegisterForm({ setupToken, onWaiting }: RegisterFormProps): React.JSX.Element {
  const register = useRegister();
  const form = useForm<Fields>({
    resolver: zodResolver(FormFields),
    defaultValues: { fullName: '', email: '', phoneNumber: '', password: '' },
    mode: 'onTouched',
  });
  useServerFieldErrors(form, register.error);
  const submit = form.handleSubmit((fields) =>
    register.mutate(
      { ...fields, username: fields.email, ...(setupToken === undefined ? {} : { setupToken }) },
      { onSuccess: (registered) => !registered.approved && onWaiting(registered) },
    ),
  );
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4" aria-label="Register">
      {register.error !== null && !isAtField(register.error) && (
        <Callout tone="danger" role="alert" title="Registration failed">
          <p className="text-fg-muted">{errorText(register.error)}</p>
        </Callout>
      )}
      <RegisterFields form={form} />
      <Button type="submit" pending={register.isPending} pendingText="Creating account...">
        Create account
      </Button>
    </form>
  );
}

function RegisterFields({ form }: { form: UseFormReturn<Fields> }): React.JSX.Element {
  const { errors } = form.formState;
  return (
    <>
      <TextField
        label="Full name"
        autoComplete="name"
        required
        error={errors.fullName?.message}
        {...form.register('fullName')}
      />
      <TextField
        label="Email address"
        type="email"
        autoComplete="email"
        required
        error={errors.email?.message}
        {...form.register('email')}
      />
      <TextField
        label="Phone number"
        type="tel"
        autoComplete="tel"
        required
        error={errors.phoneNumber?.message}
        {...form.register('phoneNumber')}
      />
      <PasswordField
        label="Password"
        autoComplete="new-password"
        required
        hint={PASSWORD_HINT}
        error={errors.password?.message}
        {...form.register('password')}
      />
    </>
  );
}

/** Whether a field shows the server's error: then it is not repeated above the form. */
function isAtField(error: Error): boolean {
  return (
    error instanceof ApiError && FormFields.keyof().options.some((name) => error.fields[name] !== undefined)
  );
}

// Server errors are shown under their field, like those of the page.
function useServerFieldErrors({ setError, setFocus }: UseFormReturn<Fields>, error: Error | null): void {
  useEffect(() => {
    if (!(error instanceof ApiError)) return;
    for (const name of FormFields.keyof().options.toReversed()) {
      const message = error.fields[name];
      if (message === undefined) continue;
      setError(name, { type: 'server', message });
      setFocus(name);
    }
  }, [error, setError, setFocus]);
}
