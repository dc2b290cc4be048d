import { Outlet } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import { lazyPart } from '#web/lib/lazy-part.ts';
import { LiveRegions } from '#web/ui/live-regions.tsx';
import { TooltipProvider } from '#web/ui/tooltip.tsx';
import { followTheme } from './theme.ts';
import { usePageChange } from './use-page-change.ts';

// Not needed before the user's first action, so it may load after the page.
const Messages = lazyPart(async () => (await import('#web/ui/toaster.tsx')).Toaster);

/** Shared by every page: theme, toasts, tooltips, live regions, and the document title. */
export function RootLayout(): React.JSX.Element {
  useEffect(followTheme, []);
  usePageChange();
  return (
    <TooltipProvider>
      <Outlet />
      <Suspense fallback={null}>
        <Messages.Part />
      </Suspense>
      <LiveRegions />
    </TooltipProvider>
  );
}
