import { useDisableTwoFactor } from './queries.ts';
import { StepDialog } from './step-dialog.tsx';
import { useVerificationStep } from './use-verification-step.tsx';

const WHAT_HAPPENS = 'You then log in with your password only, and your recovery codes stop working.';
const REQUIRED = 'Some actions require a second factor. You cannot use them until you turn it on again.';

type TurnOffDialogProps = { isRequired: boolean; onClose: () => void };

/** Turns the second factor off. */
export function TurnOffDialog({ isRequired, onClose }: TurnOffDialogProps): React.JSX.Element {
  const texts = {
    title: 'Turn off two-factor authentication',
    description: isRequired ? `${WHAT_HAPPENS} ${REQUIRED}` : WHAT_HAPPENS,
    action: 'Turn off',
    pendingText: 'Turning off...',
    isDanger: true,
  };
  return <StepDialog step={useVerificationStep(texts, useDisableTwoFactor(onClose), onClose)} />;
}
