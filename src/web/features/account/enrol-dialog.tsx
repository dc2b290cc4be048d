import { useState } from 'react';
import { TWO_FACTOR_SETUP_MINUTES, type TwoFactorBegun } from '#contract/account.ts';
import { PasswordField } from '#web/ui/password-field.tsx';
import { withoutSpaces } from '#web/ui/second-factor-field.tsx';
import { problemOf } from './problem-of.ts';
import { useConfirmTwoFactor, useStartTwoFactor } from './queries.ts';
import { ScanStep } from './scan-step.tsx';
import { type DialogStep, StepButtons, StepDialog } from './step-dialog.tsx';
import { useCodesStep } from './use-codes-step.tsx';

const TITLE = 'Turn on two-factor authentication';

/** The password, then the app and its first code, then the recovery codes. */
export function EnrolDialog({ onClose }: { onClose: () => void }): React.JSX.Element {
  const begin = useStartTwoFactor();
  const confirm = useConfirmTwoFactor();
  const password = usePasswordStep(begin, onClose);
  const scan = useScanStep(begin.data, confirm, onClose);
  const codes = useCodesStep('Two-factor authentication is on', '', confirm.data?.recoveryCodes, onClose);
  return <StepDialog step={codes ?? scan ?? password} />;
}

function usePasswordStep(begin: ReturnType<typeof useStartTwoFactor>, onClose: () => void): DialogStep {
  const [password, setPassword] = useState('');
  const [isMissing, setMissing] = useState(false);
  return {
    title: TITLE,
    description: 'You need an authenticator app on your phone. Enter your password to start.',
    onClose,
    onSubmit: () => {
      setMissing(password === '');
      if (password !== '' && !begin.isPending) begin.mutate(password, { onSuccess: () => setPassword('') });
    },
    footer: (
      <StepButtons onCancel={onClose} action="Continue" pendingText="Checking..." pending={begin.isPending} />
    ),
    body: (
      <PasswordField
        label="Password"
        autoComplete="current-password"
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        error={isMissing ? 'Enter your password' : problemOf(begin.error, 'password')}
      />
    ),
  };
}

/** Null before the secret is created. */
function useScanStep(
  begun: TwoFactorBegun | undefined,
  confirm: ReturnType<typeof useConfirmTwoFactor>,
  onClose: () => void,
): DialogStep | null {
  const [code, setCode] = useState('');
  const [isMissing, setMissing] = useState(false);
  if (begun === undefined) return null;
  const typed = withoutSpaces(code);
  return {
    title: TITLE,
    description: `Scan the QR code with your app, then enter the code it shows within ${TWO_FACTOR_SETUP_MINUTES} minutes.`,
    isWide: true,
    onClose,
    onSubmit: () => {
      setMissing(typed === '');
      if (typed !== '' && !confirm.isPending) confirm.mutate(typed);
    },
    footer: (
      <StepButtons
        onCancel={onClose}
        action="Turn on"
        pendingText="Turning on..."
        pending={confirm.isPending}
      />
    ),
    body: (
      <ScanStep
        begun={begun}
        code={code}
        onCode={setCode}
        error={isMissing && typed === '' ? 'Enter the code' : problemOf(confirm.error, 'code')}
      />
    ),
  };
}
