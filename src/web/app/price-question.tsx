import { Suspense, useEffect } from 'react';
import { lazyPart } from '#web/lib/lazy-part.ts';
import { declinePriceQuestion, usePriceQuestion } from '#web/lib/price-question-store.ts';

const HaltDialog = lazyPart(async () => (await import('./halt-dialog.tsx')).HaltDialog);
const ReasonsDialog = lazyPart(async () => (await import('./reasons-dialog.tsx')).ReasonsDialog);

/**
 * Asks whether to change prices while repricing is halted, or in spite of what their marketplaces do, and continues the
 * call if confirmed.
 */
export function PriceQuestion(): React.JSX.Element | null {
  const question = usePriceQuestion();
  useEffect(() => declinePriceQuestion, []);
  if (question === null) return null;
  const { about, answer } = question;
  return (
    <Suspense fallback={null}>
      {about.kind === 'halt' ? (
        <HaltDialog.Part onAnswer={answer} />
      ) : (
        <ReasonsDialog.Part reasons={about.reasons} isOfMany={about.isOfMany} onAnswer={answer} />
      )}
    </Suspense>
  );
}
