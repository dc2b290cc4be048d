import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Done } from '#contract/users.ts';
import { ApiError, call, errorText } from '#web/lib/api.ts';
import { sessionQuery } from '#web/lib/session.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { SecondFactorField, withoutSpaces } from '#web/ui/second-factor-field.tsx';

const PASSWORD = {
  title: 'Enter your password',
  missing: 'Enter your password',
  description: 'You entered it more than 10 minutes ago. Enter it again to confirm this change.',
  confirm: 'Enter your password to confirm this change.',
  other: 'Use a 2FA code instead',
} as const;

const CODE = {
  title: 'Enter a 2FA code',
  missing: 'Enter the code',
  description: 'You last confirmed more than 10 minutes ago. Enter a code to confirm this change.',
  confirm: 'Enter a code to confirm this change.',
  other: 'Use your password instead',
} as const;

/** Asks for the password again, or for a code if the user has a second factor. */
export function StepUpQuestion({
  because,
  onAnswer,
}: {
  /** The action that needs it; null if it is obvious. */
  because: string | null;
  onAnswer: (isStepUpFresh: boolean) => void;
}): React.JSX.Element {
  const hasCodes = useQuery(sessionQuery).data?.twoFactorEnabled ?? false;
  const [kind, setKind] = useState<typeof PASSWORD | typeof CODE>(PASSWORD);
  const [secret, setSecret] = useState('');
  const [isMissing, setMissing] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const isCode = kind === CODE;
  const prove = useMutation({
    mutationFn: () =>
      call(Done, 'POST', '/api/step-up', isCode ? { code: withoutSpaces(secret) } : { password: secret }),
    onSuccess: () => onAnswer(true),
    onError: () => field.current?.select(),
  });
  const submit = (): void => {
    setMissing(secret === '');
    if (secret !== '' && !prove.isPending) prove.mutate();
  };
  const change = (): void => {
    setKind(isCode ? PASSWORD : CODE);
    setSecret('');
    setMissing(false);
    prove.reset();
    // Once the other field has replaced it.
    setTimeout(() => field.current?.focus());
  };
  const error = isMissing ? kind.missing : problemOf(prove.error, isCode ? 'code' : 'password');
  return (
    <Dialog
      open
      onClose={() => onAnswer(false)}
      size="small"
      title={kind.title}
      description={because === null ? kind.description : `${because} ${kind.confirm}`}
      onSubmit={submit}
      footer={
        <>
          <Button look="outline" onClick={() => onAnswer(false)}>
            Cancel
          </Button>
          <Button type="submit" pending={prove.isPending} pendingText="Checking...">
            Continue
          </Button>
        </>
      }
    >
      {isCode ? (
        <SecondFactorField ref={field} value={secret} onChange={setSecret} error={error} />
      ) : (
        <PasswordField
          ref={field}
          label="Password"
          autoComplete="current-password"
          value={secret}
          onChange={(event) => setSecret(event.target.value)}
          error={error}
        />
      )}
      {hasCodes && (
        <Button look="quiet" className="-ml-3" onClick={change}>
          {kind.other}
        </Button>
      )}
    </Dialog>
  );
}

function problemOf(error: Error | null, field: 'password' | 'code'): string | undefined {
  if (error === null) return undefined;
  return (error instanceof ApiError ? error.fields[field] : undefined) ?? errorText(error);
}
