import { PanelLeft, Search } from 'lucide-react';
import { Suspense, useSyncExternalStore } from 'react';
import { RepricingHeader } from '#web/features/repricing/repricing-header.tsx';
import { classNames } from '#web/lib/class-names.ts';
import { ariaKeys, KEYS } from '#web/lib/keys.ts';
import { lazyPart } from '#web/lib/lazy-part.ts';
import { showOverlay } from '#web/lib/overlay.ts';
import { undoLatest } from '#web/lib/recent-actions-store.ts';
import { useKeyText, useShortcut } from '#web/lib/shortcuts.ts';
import { Button } from '#web/ui/button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Tip } from '#web/ui/tooltip.tsx';
import { JobsTray } from './jobs-tray.tsx';
import { RecentActions } from './recent-actions.tsx';
import type { SidebarState } from './sidebar-state.ts';
import { ThemeToggle } from './theme-toggle.tsx';

const Bell = lazyPart(async () => (await import('./alert-bell.tsx')).AlertBell);

/** The one row over every screen: sidebar toggle, repricing, search, recent actions, jobs, alerts, theme. */
export function HeaderBar(props: { sidebar: SidebarState; isAdmin: boolean }): React.JSX.Element {
  const { sidebar, isAdmin } = props;
  const isOpen = sidebar.isMobile ? sidebar.isSheetOpen : sidebar.isExpanded;
  const isScrolled = useSyncExternalStore(onScroll, () => window.scrollY > 0);
  useShortcut(KEYS.undo, undoLatest);
  return (
    <header
      className={classNames(
        'sticky top-0 z-10 flex h-12 shrink-0 items-center gap-1 border-b bg-canvas px-1 md:gap-1.5 md:pr-6 md:pl-3 print:hidden',
        !isScrolled && 'border-transparent',
      )}
    >
      <IconButton
        name="Toggle sidebar"
        shortcut={KEYS.sidebar}
        aria-expanded={isOpen}
        onClick={sidebar.toggle}
      >
        <PanelLeft aria-hidden />
      </IconButton>
      <RepricingHeader isAdmin={isAdmin} />
      <div className="ml-auto flex shrink-0 items-center md:gap-1">
        <SearchButton />
        {/* On a phone these are in the sidebar sheet: the row has no room for them. */}
        {!sidebar.isMobile && <RecentActions />}
        <JobsTray isOnlyWhileBusy={sidebar.isMobile} />
        <Suspense fallback={<span className="size-11 dense:size-8" />}>
          <Bell.Part />
        </Suspense>
        {!sidebar.isMobile && <ThemeToggle />}
      </div>
    </header>
  );
}

/** The header differs from the page only while something is under it. */
function onScroll(listener: () => void): () => void {
  window.addEventListener('scroll', listener, { passive: true });
  return () => window.removeEventListener('scroll', listener);
}

function SearchButton(): React.JSX.Element {
  const keyText = useKeyText(KEYS.palette);
  return (
    <Tip text="Search and commands" shortcut={KEYS.palette}>
      <Button
        look="quiet"
        aria-label="Search and commands"
        aria-keyshortcuts={ariaKeys(KEYS.palette)}
        onClick={() => showOverlay('palette')}
        className="max-md:w-11 max-md:px-0 md:w-30 md:justify-start md:bg-fill md:font-normal xl:w-46"
      >
        <Search aria-hidden />
        <span className="hidden md:inline">Search</span>
        <kbd className="ml-auto hidden rounded-[4px] border bg-surface px-1 font-sans text-2xs xl:inline">
          {keyText}
        </kbd>
      </Button>
    </Tip>
  );
}
