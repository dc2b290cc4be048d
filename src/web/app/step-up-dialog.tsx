import { Suspense, useEffect } from 'react';
import { lazyPart } from '#web/lib/lazy-part.ts';
import { declineStepUp, useStepUpQuestion } from '#web/lib/step-up.ts';

const Question = lazyPart(async () => (await import('./step-up-question.tsx')).ProofQuestion);

/** Asks for the password once more when a call needs it, or for a code of who has one; the call then goes on by itself. */
export function StepUpDialog(): React.JSX.Element | null {
  const question = useStepUpQuestion();
  useEffect(() => declineStepUp, []);
  if (question === null) return null;
  return (
    <Suspense fallback={null}>
      <Question.Part because={question.because} onAnswer={question.answer} />
    </Suspense>
  );
}
