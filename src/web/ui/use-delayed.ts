import { useEffect, useRef, useState } from 'react';

/** Shorter waits show no placeholder. */
const DELAY = 150;
/** Minimum time a placeholder is shown, so that it does not flicker. */
const MIN_PLACEHOLDER_MS = 300;

export type LoadingPhase = 'waiting' | 'placeholder' | 'ready';

/**
 * `waiting` while nothing is shown yet, `placeholder` for a noticeable wait, `ready` once loaded.
 * @param pending whether the data is loading
 */
export function useDelayed(pending: boolean): LoadingPhase {
  const [shown, setShown] = useState(false);
  const shownAt = useRef(0);
  useEffect(() => {
    if (pending === shown) return;
    const wait = pending ? DELAY : Math.max(0, MIN_PLACEHOLDER_MS - (performance.now() - shownAt.current));
    const timer = setTimeout(() => {
      shownAt.current = performance.now();
      setShown(pending);
    }, wait);
    return () => clearTimeout(timer);
  }, [pending, shown]);
  if (shown) return 'placeholder';
  return pending ? 'waiting' : 'ready';
}
