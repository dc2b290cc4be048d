import { useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { SessionUser } from '#contract/session.ts';
import { formatMoment } from '#web/lib/moments.ts';

/** Printed above the page: account, time and search text. Filters are printed with the list. */
export function PrintHeading({ user }: { user: SessionUser }): React.JSX.Element {
  const [printedAt, setPrintedAt] = useState(() => new Date().toISOString());
  const { q }: { q?: string } = useSearch({ strict: false });
  useEffect(() => {
    const note = (): void => setPrintedAt(new Date().toISOString());
    window.addEventListener('beforeprint', note);
    return () => window.removeEventListener('beforeprint', note);
  }, []);
  return (
    <p className="mb-2 hidden border-b pb-2 text-sm text-fg-muted print:block">
      Pricewright, printed by {user.fullName}, {formatMoment(printedAt, 'exact')}
      {q !== undefined && q !== '' && `. Search: "${q}"`}
    </p>
  );
}
