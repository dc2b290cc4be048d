import { useState } from 'react';
import { announce } from '#web/lib/announce.ts';
import { Button } from '#web/ui/button.tsx';
import { RecoveryCodeList } from './recovery-code-list.tsx';
import type { DialogStep } from './step-dialog.tsx';

const SAVE_THEM =
  'Save these recovery codes. Each works once if you do not have your phone. They are shown only now.';

/**
 * Shows the recovery codes once. The step ends only when the user confirms that they are saved.
 * @param more added to the usual description
 * @param codes undefined before there are any
 * @returns null without codes
 */
export function useCodesStep(
  title: string,
  more: string,
  codes: readonly string[] | undefined,
  onClose: () => void,
): DialogStep | null {
  const [isSaved, setSaved] = useState(false);
  const [isReminded, setReminded] = useState(false);
  if (codes === undefined) return null;
  const close = (): void => {
    if (isSaved) onClose();
    else {
      setReminded(true);
      announce('Save the codes first, then confirm it here.', 'assertive');
    }
  };
  return {
    title,
    description: `${SAVE_THEM} ${more}`.trimEnd(),
    isWide: true,
    onClose: close,
    footer: <Button onClick={close}>Done</Button>,
    body: (
      <RecoveryCodeList
        codes={codes}
        title={title}
        isSaved={isSaved}
        isReminded={isReminded && !isSaved}
        onSaved={setSaved}
      />
    ),
  };
}
