import { useNewRecoveryCodes } from './queries.ts';
import { StepDialog } from './step-dialog.tsx';
import { useCodesStep } from './use-codes-step.tsx';
import { useProofStep } from './use-proof-step.tsx';

const TEXTS = {
  title: 'New recovery codes',
  description: 'You get ten new ones. Those you saved before no longer work.',
  action: 'Make new codes',
  pendingText: 'Making codes...',
};

/** Ten fresh codes in the place of those that are left. */
export function NewCodesDialog({ onClose }: { onClose: () => void }): React.JSX.Element {
  const act = useNewRecoveryCodes();
  const proof = useProofStep(TEXTS, act, onClose);
  const codes = useCodesStep(
    'Your new recovery codes',
    'The ones from before no longer work.',
    act.data?.recoveryCodes,
    onClose,
  );
  return <StepDialog step={codes ?? proof} />;
}
