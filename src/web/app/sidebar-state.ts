import { useCallback, useState } from 'react';
import { readCookie, writeCookie } from '#web/lib/cookies.ts';
import { KEYS } from '#web/lib/keys.ts';
import { useShortcut } from '#web/lib/shortcuts.ts';
import { MOBILE, NARROW, useMediaQuery } from '#web/lib/use-media-query.ts';

const COOKIE = 'sidebar_state';
const COOKIE_SECONDS = 604_800;

export interface SidebarState {
  /** Below 768 px the sidebar is a sheet over the page. */
  readonly isMobile: boolean;
  /** Expanded, or icons only; unused on mobile. */
  readonly isExpanded: boolean;
  readonly isSheetOpen: boolean;
  /** Toggles the sidebar, or the sheet on mobile. */
  readonly toggle: () => void;
  readonly closeSheet: () => void;
}

/**
 * Read from the cookie before the first frame is drawn, so that a reload does not shift the page.
 * Without a cookie narrow windows start collapsed. Ctrl or Cmd plus B toggles.
 */
export function useSidebarState(): SidebarState {
  const isMobile = useMediaQuery(MOBILE);
  const [isExpanded, setExpanded] = useState(startsExpanded);
  const [isSheetOpen, setSheetOpen] = useState(false);
  const toggle = useCallback(() => {
    if (isMobile) return setSheetOpen(!isSheetOpen);
    writeCookie(document, COOKIE, String(!isExpanded), COOKIE_SECONDS);
    setExpanded(!isExpanded);
  }, [isMobile, isSheetOpen, isExpanded]);
  useShortcut(KEYS.sidebar, toggle);
  const closeSheet = useCallback(() => setSheetOpen(false), []);
  return { isMobile, isExpanded, isSheetOpen: isMobile && isSheetOpen, toggle, closeSheet };
}

function startsExpanded(): boolean {
  const stored = readCookie(document, COOKIE);
  return stored === null ? !window.matchMedia(NARROW).matches : stored === 'true';
}
