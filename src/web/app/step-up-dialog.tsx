import { Suspense, useEffect } from 'react';
import { lazyPart } from '#web/lib/lazy-part.ts';
import { declineStepUp, useStepUpQuestion } from '#web/lib/step-up.ts';

const Question = lazyPart(async () => (await import('./step-up-question.tsx')).ProofQuestion);

/** Asks for the password or a second-factor code when a call needs step-up authentication, then continues the call. */
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
