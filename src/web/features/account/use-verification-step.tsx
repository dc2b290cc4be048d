import type { UseMutationResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { PasswordAndCode } from '#contract/account.ts';
import { ApiError, errorText } from '#web/lib/api.ts';
import { focusFirstError } from '#web/lib/focus-first-error.ts';
import { Callout } from '#web/ui/callout.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { SecondFactorField, withoutSpaces } from '#web/ui/second-factor-field.tsx';
import { type DialogStep, StepButtons } from './step-dialog.tsx';

interface VerificationTexts {
  readonly title: string;
  readonly description: string;
  readonly action: string;
  readonly pendingText: string;
  readonly isDanger?: boolean;
}

/** Asks for password and code before a change of the second factor. */
export function useVerificationStep(
  { title, description, action, pendingText, isDanger = false }: VerificationTexts,
  act: UseMutationResult<unknown, Error, PasswordAndCode>,
  onClose: () => void,
): DialogStep {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [isTried, setTried] = useState(false);
  const proof = { password, code: withoutSpaces(code) };
  const missing = (value: string, text: string): string | undefined =>
    isTried && value === '' ? text : undefined;
  const fields = act.error instanceof ApiError ? act.error.fields : {};
  const isShownByField = fields.password !== undefined || fields.code !== undefined;
  return {
    title,
    description,
    onClose,
    onSubmit: () => {
      setTried(true);
      if (proof.password === '' || proof.code === '') focusFirstError();
      else if (!act.isPending) act.mutate(proof, { onError: () => focusFirstError() });
    },
    footer: (
      <StepButtons
        onCancel={onClose}
        action={action}
        pendingText={pendingText}
        pending={act.isPending}
        isDanger={isDanger}
      />
    ),
    body: (
      <div className="flex flex-col gap-4">
        {act.error !== null && !isShownByField && (
          <Callout tone="danger" role="alert" title="Nothing was changed">
            <p className="text-fg-muted">{errorText(act.error)}</p>
          </Callout>
        )}
        <PasswordField
          label="Password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          error={missing(password, 'Enter your password') ?? fields.password}
        />
        <SecondFactorField
          value={code}
          onChange={setCode}
          error={missing(proof.code, 'Enter the code') ?? fields.code}
        />
      </div>
    ),
  };
}
