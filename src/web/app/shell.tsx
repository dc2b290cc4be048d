import { Outlet } from '@tanstack/react-router';
import type { SessionUser } from '#contract/session.ts';
import { ChangeAnywayQuestion } from './change-anyway-question.tsx';
import { ConnectionBanner } from './connection-banner.tsx';
import { HeaderBar } from './header-bar.tsx';
import { openScreens, type Screen } from './navigation.ts';
import { PrintHeading } from './print-heading.tsx';
import { ReauthDialog } from './reauth-dialog.tsx';
import { ShellOverlays } from './shell-overlays.tsx';
import { MobileSidebar, Sidebar } from './sidebar.tsx';
import { useSidebarState } from './sidebar-state.ts';
import { StepUpDialog } from './step-up-dialog.tsx';
import { TwoFactorDialog } from './two-factor-dialog.tsx';
import { useLiveStream } from './use-live-stream.ts';

type ShellProps = { user: SessionUser; screens: readonly Screen[] };

/** The frame of every screen behind the login page: sidebar, header row, main. */
export function Shell({ user, screens }: ShellProps): React.JSX.Element {
  const sidebar = useSidebarState();
  useLiveStream();
  return (
    <div className="flex min-h-dvh">
      <a
        href="#main"
        className="sr-only z-40 rounded-md bg-primary px-3 py-2 font-medium text-primary-fg focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        Skip to content
      </a>
      {sidebar.isMobile ? (
        <MobileSidebar
          user={user}
          screens={screens}
          isOpen={sidebar.isSheetOpen}
          onClose={sidebar.closeSheet}
        />
      ) : (
        <Sidebar user={user} screens={screens} isExpanded={sidebar.isExpanded} />
      )}
      <div className="flex min-w-0 flex-1 flex-col">
        <HeaderBar sidebar={sidebar} isAdmin={user.role === 'admin'} />
        <ConnectionBanner />
        <main id="main" tabIndex={-1} className="flex flex-1 flex-col px-4 pt-1 pb-6 md:px-6 print:p-0">
          <PrintHeading user={user} />
          <Outlet />
        </main>
      </div>
      <ChangeAnywayQuestion />
      <StepUpDialog />
      <TwoFactorDialog />
      <ReauthDialog user={user} />
      <ShellOverlays screens={openScreens(screens, user.role)} toggleSidebar={sidebar.toggle} />
    </div>
  );
}
