import { useEffect, useState } from 'react';
import { formatMoment, formatRelative } from '#web/lib/moments.ts';
import { Tip } from './tooltip.tsx';

/** Relative times are updated every minute, their precision. */
const REFRESH_AFTER = 60_000;

/** "12 min ago", or "Nov 3, 14:05" after a day; the exact time is in the tooltip. */
export function MomentText({ iso }: { iso: string }): React.JSX.Element {
  const now = useNow();
  return (
    <Tip text={formatMoment(iso, 'exact')}>
      <time dateTime={iso} className="whitespace-nowrap">
        {formatRelative(iso, now)}
      </time>
    </Tip>
  );
}

/** The current time, updated every minute. @returns epoch milliseconds */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), REFRESH_AFTER);
    return () => clearInterval(timer);
  }, []);
  return now;
}
