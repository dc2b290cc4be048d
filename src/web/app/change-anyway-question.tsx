import { Suspense, useEffect } from 'react';
import { declineChange, useChangeAnyway } from '#web/lib/change-anyway-store.ts';
import { lazyPart } from '#web/lib/lazy-part.ts';

const HaltDialog = lazyPart(async () => (await import('./halt-dialog.tsx')).HaltDialog);
const NotRepriceableDialog = lazyPart(
  async () => (await import('./not-repriceable-dialog.tsx')).NotRepriceableDialog,
);

/**
 * Asks whether to change prices anyway while repricing is halted, or in spite of what their marketplaces do, and continues the
 * call if confirmed.
 */
export function ChangeAnywayQuestion(): React.JSX.Element | null {
  const question = useChangeAnyway();
  useEffect(() => declineChange, []);
  if (question === null) return null;
  const { about, answer } = question;
  return (
    <Suspense fallback={null}>
      {about.kind === 'halt' ? (
        <HaltDialog.Part onAnswer={answer} />
      ) : (
        <NotRepriceableDialog.Part reasons={about.reasons} isOfMany={about.isOfMany} onAnswer={answer} />
      )}
    </Suspense>
  );
}
