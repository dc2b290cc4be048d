import { zodResolver } from '@hookform/resolvers/zod';
import { Link, useSearch } from '@tanstack/react-router';
import { CircleCheck, MailCheck, MailX } from 'lucide-react';
import { useEffect } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { ForgotPasswordPayload, ResetPasswordPayload } from '#contract/session.ts';
import { ApiError, errorText } from '#web/lib/api.ts';
import { PASSWORD_HINT } from '#web/lib/password-hint.ts';
import { Button, buttonClasses } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { withoutSpaces } from '#web/ui/second-factor-field.tsx';
import { SecondFactorOfForm } from '#web/ui/second-factor-of-form.tsx';
import { StatusHeading, StatusPage } from '#web/ui/status-page.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { GuestPage } from './guest-page.tsx';
import { codeProblem, isCodeWanted, useForgotPassword, useResetPassword } from './queries.ts';
import { useCodeStep } from './use-code-step.ts';

/** Asks for the link to choose a new password, and is the target of that link. */
export function ResetPasswordPage(): React.JSX.Element {
  const { token }: { token?: string } = useSearch({ strict: false });
  return (
    <GuestPage>
      {token === undefined || token === '' ? <RequestLink /> : <ChoosePassword token={token} />}
    </GuestPage>
  );
}

function RequestLink(): React.JSX.Element {
  const request = useForgotPassword();
  const form = useForm<ForgotPasswordPayload>({
    resolver: zodResolver(ForgotPasswordPayload),
    defaultValues: { username: '' },
    mode: 'onTouched',
  });
  if (request.data !== undefined) {
    const { message, sendsEmail } = request.data;
    return (
      <StatusPage icon={sendsEmail ? MailCheck : MailX}>
        <StatusHeading title={sendsEmail ? 'Check your email' : 'Ask an administrator'} text={message} />
        <ToLogin />
      </StatusPage>
    );
  }
  return (
    <Form
      title="Forgot your password?"
      subtitle="We send you a link to choose a new one."
      error={request.error}
      onSubmit={form.handleSubmit((payload) => request.mutate(payload))}
    >
      <TextField
        label="Email address"
        type="email"
        autoComplete="username"
        required
        error={form.formState.errors.username?.message}
        {...form.register('username')}
      />
      <Button type="submit" pending={request.isPending} pendingText="Sending...">
        Send link
      </Button>
      <ToLogin />
    </Form>
  );
}

const ChosenFields = ResetPasswordPayload.pick({ newPassword: true }).extend({ twoFactorToken: z.string() });
type ChosenFields = z.input<typeof ChosenFields>;

function ChoosePassword({ token }: { token: string }): React.JSX.Element {
  const reset = useResetPassword();
  const { error } = reset;
  const form = useForm<ChosenFields>({
    resolver: zodResolver(ChosenFields),
    defaultValues: { newPassword: '', twoFactorToken: '' },
    mode: 'onTouched',
  });
  const asksForCode = useCodeStep(error);
  const { setFocus, setError } = form;
  useEffect(() => {
    if (isCodeWanted(error)) setFocus('twoFactorToken');
    const message = error instanceof ApiError ? error.fields.newPassword : undefined;
    if (message !== undefined) {
      setError('newPassword', { type: 'server', message });
      setFocus('newPassword');
    }
  }, [error, setFocus, setError]);
  if (reset.data !== undefined) {
    return (
      <StatusPage icon={CircleCheck}>
        <StatusHeading title="Password changed" text={reset.data.message} />
        <ToLogin />
      </StatusPage>
    );
  }
  const submit = form.handleSubmit(({ newPassword, twoFactorToken }) => {
    const code = asksForCode ? { twoFactorToken: withoutSpaces(twoFactorToken) } : {};
    reset.mutate({ token, newPassword, ...code });
  });
  const isDead = error instanceof ApiError && error.code === 'not_found';
  return (
    <Form
      title="Choose a new password"
      subtitle="Every browser of your account is logged out."
      error={isCodeWanted(error) ? null : error}
      onSubmit={submit}
    >
      {isDead && (
        <Link to="/reset-password" search={{}} className={buttonClasses()}>
          Request a new link
        </Link>
      )}
      <PasswordField
        label="New password"
        autoComplete="new-password"
        required
        hint={PASSWORD_HINT}
        error={form.formState.errors.newPassword?.message}
        {...form.register('newPassword')}
      />
      {asksForCode && <SecondFactorOfForm control={form.control} error={codeProblem(error)} />}
      <Button
        type="submit"
        look={isDead ? 'outline' : 'primary'}
        pending={reset.isPending}
        pendingText="Changing password..."
      >
        Change password
      </Button>
      <ToLogin />
    </Form>
  );
}

type FormProps = {
  title: string;
  subtitle: string;
  /** Null while nothing failed. */
  error: Error | null;
  onSubmit: () => void;
  children: React.ReactNode;
};

function Form({ title, subtitle, error, onSubmit, children }: FormProps): React.JSX.Element {
  return (
    <div className="mx-auto flex w-full max-w-[26rem] flex-1 flex-col gap-6 pt-[12vh] pb-12">
      <div>
        <PageHeading title={title} />
        <p className="mt-1 text-fg-muted">{subtitle}</p>
      </div>
      <form noValidate aria-label={title} onSubmit={onSubmit} className="flex flex-col gap-4">
        {error !== null && (
          <Callout tone="danger" role="alert" title="Could not continue">
            <p className="text-fg-muted">{errorText(error)}</p>
          </Callout>
        )}
        {children}
      </form>
    </div>
  );
}

function ToLogin(): React.JSX.Element {
  return (
    <Link to="/auth" className={buttonClasses({ look: 'quiet' })}>
      Back to Login
    </Link>
  );
}
