import { Outlet } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import { lazyPart } from '#web/lib/lazy-part.ts';
import { LiveRegions } from '#web/ui/live-regions.tsx';
import { TooltipProvider } from '#web/ui/tooltip.tsx';
import { followTheme } from './theme.ts';
import { usePageChange } from './use-page-change.ts';

// Nothing is said before somebody has done something: it may come after the page.
const Messages = lazyPart(async () => (await import('#web/ui/toaster.tsx')).Toaster);

/** What every page has: theme, toasts, tooltips, live regions, and a title that names it. */
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
