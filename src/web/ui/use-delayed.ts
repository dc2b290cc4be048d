import { useEffect, useRef, useState } from 'react';

/** A wait shorter than this shows no placeholder. */
const DELAY = 150;
/** A placeholder once shown stays this long, so that it never flickers. */
const LEAST = 300;

export type LoadingFace = 'waiting' | 'placeholder' | 'ready';

/**
 * `waiting` while nothing is shown yet, `placeholder` for a wait that can be felt, `ready` once loaded.
 * @param pending whether the data is still on its way
 */
export function useDelayed(pending: boolean): LoadingFace {
  const [shown, setShown] = useState(false);
  const shownAt = useRef(0);
  useEffect(() => {
    if (pending === shown) return;
    const wait = pending ? DELAY : Math.max(0, LEAST - (performance.now() - shownAt.current));
    const timer = setTimeout(() => {
      shownAt.current = performance.now();
      setShown(pending);
    }, wait);
    return () => clearTimeout(timer);
  }, [pending, shown]);
  if (shown) return 'placeholder';
  return pending ? 'waiting' : 'ready';
}
