import { useNewRecoveryCodes } from './queries.ts';
import { StepDialog } from './step-dialog.tsx';
import { useCodesStep } from './use-codes-step.tsx';
import { useVerificationStep } from './use-verification-step.tsx';

const TEXTS = {
  title: 'New recovery codes',
  description: 'You get 10 new codes. The codes you saved before stop working.',
  action: 'Create new codes',
  pendingText: 'Creating codes...',
};

/** Replaces the recovery codes with ten new ones. */
export function NewCodesDialog({ onClose }: { onClose: () => void }): React.JSX.Element {
  const action = useNewRecoveryCodes();
  const proof = useVerificationStep(TEXTS, action, onClose);
  const codes = useCodesStep(
    'Your new recovery codes',
    'Your earlier codes no longer work.',
    action.data?.recoveryCodes,
    onClose,
  );
  return <StepDialog step={codes ?? proof} />;
}
