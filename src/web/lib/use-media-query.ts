import { useCallback, useSyncExternalStore } from 'react';

/** Below 768 px: the sidebar is a sheet. */
export const MOBILE = '(max-width: 767px)';
/** Below 1280 px the sidebar starts collapsed. */
export const NARROW = '(max-width: 1279px)';

/** Whether a media query matches; re-renders when that changes. */
export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}
