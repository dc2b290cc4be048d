import { Suspense, useEffect } from 'react';
import { lazyPart } from '#web/lib/lazy-part.ts';
import { declineHalt, useHaltQuestion } from '#web/lib/past-halt.ts';

const Dialog = lazyPart(async () => (await import('./halt-dialog.tsx')).HaltDialog);

/** Asks whether to change a price while repricing is halted, and continues the call if confirmed. */
export function HaltQuestion(): React.JSX.Element | null {
  const question = useHaltQuestion();
  useEffect(() => declineHalt, []);
  if (question === null) return null;
  return (
    <Suspense fallback={null}>
      <Dialog.Part onAnswer={question.answer} />
    </Suspense>
  );
}
