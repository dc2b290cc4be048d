import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect } from 'react';
import { lazyPart } from '#web/lib/lazy-part.ts';
import { sessionQuery } from '#web/lib/session.ts';
import { declineStepUp, useStepUpQuestion } from '#web/lib/step-up.ts';

const Question = lazyPart(async () => (await import('./step-up-question.tsx')).StepUpQuestion);

const OfProvider = lazyPart(async () => (await import('./provider-question.tsx')).ProviderQuestion);

/** Asks for the password or a second-factor code when a call needs step-up authentication, then continues the call. */
export function StepUpDialog(): React.JSX.Element | null {
  const question = useStepUpQuestion();
  const isProviderOnly = useQuery(sessionQuery).data?.isProviderOnly ?? false;
  useEffect(() => declineStepUp, []);
  if (question === null) return null;
  return (
    <Suspense fallback={null}>
      {isProviderOnly ? (
        <OfProvider.Part because={question.because} onAnswer={question.answer} />
      ) : (
        <Question.Part because={question.because} onAnswer={question.answer} />
      )}
    </Suspense>
  );
}
