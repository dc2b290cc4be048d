import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Done } from '#contract/users.ts';
import { ApiError, call, errorText } from '#web/lib/api.ts';
import { declineStepUp, useStepUpQuestion } from '#web/lib/step-up.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';

/** Asks for the password once more when a call needs it; the call then goes on by itself. */
export function StepUpDialog(): React.JSX.Element | null {
  const question = useStepUpQuestion();
  useEffect(() => declineStepUp, []);
  return question === null ? null : <PasswordQuestion onAnswer={question.answer} />;
}

function PasswordQuestion({ onAnswer }: { onAnswer: (isProved: boolean) => void }): React.JSX.Element {
  const [password, setPassword] = useState('');
  const [isMissing, setMissing] = useState(false);
  const prove = useMutation({
    mutationFn: () => call(Done, 'POST', '/api/step-up', { password }),
    onSuccess: () => onAnswer(true),
  });
  const submit = (): void => {
    setMissing(password === '');
    if (password !== '' && !prove.isPending) prove.mutate();
  };
  return (
    <Dialog
      open
      onClose={() => onAnswer(false)}
      size="small"
      title="Enter your password"
      description="You gave it more than 10 minutes ago. This change needs it once more."
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
      <PasswordField
        label="Password"
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        error={isMissing ? 'Enter your password' : problemOf(prove.error)}
      />
    </Dialog>
  );
}

function problemOf(error: Error | null): string | undefined {
  if (error === null) return undefined;
  return (error instanceof ApiError ? error.fields.password : undefined) ?? errorText(error);
}
