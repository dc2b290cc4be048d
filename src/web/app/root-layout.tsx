import { Outlet } from '@tanstack/react-router';
import { useEffect } from 'react';
import { LiveRegions } from '#web/ui/live-regions.tsx';
import { Toaster } from '#web/ui/toaster.tsx';
import { TooltipProvider } from '#web/ui/tooltip.tsx';
import { followTheme } from './theme.ts';
import { usePageChange } from './use-page-change.ts';

/** What every page has: theme, toasts, tooltips, live regions, and a title that names it. */
export function RootLayout(): React.JSX.Element {
  useEffect(followTheme, []);
  usePageChange();
  return (
    <TooltipProvider>
      <Outlet />
      <Toaster />
      <LiveRegions />
    </TooltipProvider>
  );
}
