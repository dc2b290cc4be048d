import { Suspense, useEffect } from 'react';
import { lazyPart } from '#web/lib/lazy-part.ts';
import { respectHalt, useHaltQuestion } from '#web/lib/past-halt.ts';

const Dialog = lazyPart(async () => (await import('./halt-dialog.tsx')).HaltDialog);

/** Asks whether a price changes while repricing is halted; the call then goes on. */
export function HaltQuestion(): React.JSX.Element | null {
  const question = useHaltQuestion();
  useEffect(() => respectHalt, []);
  if (question === null) return null;
  return (
    <Suspense fallback={null}>
      <Dialog.Part onAnswer={question.answer} />
    </Suspense>
  );
}
