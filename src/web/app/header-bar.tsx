import { Link } from '@tanstack/react-router';
import { PanelLeft, Search } from 'lucide-react';
import { Suspense } from 'react';
import { HaltButton } from '#web/features/repricing/halt-button.tsx';
import { ariaKeys, KEYS } from '#web/lib/keys.ts';
import { lazyPart } from '#web/lib/lazy-part.ts';
import { showOverlay } from '#web/lib/overlay.ts';
import { useKeyText } from '#web/lib/shortcuts.ts';
import { Button } from '#web/ui/button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Tip } from '#web/ui/tooltip.tsx';
import { JobsTray } from './jobs-tray.tsx';
import { RecentActions } from './recent-actions.tsx';
import type { SidebarState } from './sidebar-state.ts';
import { ThemeToggle } from './theme-toggle.tsx';
import { usePageTitle, useParentScreen } from './use-page-change.ts';

const Bell = lazyPart(async () => (await import('./alert-bell.tsx')).AlertBell);

/** The bar over every screen: sidebar toggle, breadcrumb, theme. */
export function HeaderBar({ sidebar }: { sidebar: SidebarState }): React.JSX.Element {
  const isOpen = sidebar.isMobile ? sidebar.isSheetOpen : sidebar.isExpanded;
  return (
    <header className="sticky top-0 z-10 flex h-14 shrink-0 items-center gap-1 border-b bg-surface px-2 sm:gap-3 sm:px-4 print:hidden">
      <IconButton
        name="Toggle sidebar"
        shortcut={KEYS.sidebar}
        aria-expanded={isOpen}
        onClick={sidebar.toggle}
      >
        <PanelLeft aria-hidden />
      </IconButton>
      <div className="hidden h-5 w-px bg-border sm:block" />
      <Breadcrumb />
      <div className="ml-auto flex items-center gap-1">
        <SearchButton />
        <HaltButton />
        <RecentActions />
        <JobsTray />
        <Suspense fallback={<span className="size-11 dense:size-8" />}>
          <Bell.Part />
        </Suspense>
        {/* On a phone the theme switch is in the sidebar sheet: the bar has no room for it. */}
        {!sidebar.isMobile && <ThemeToggle />}
      </div>
    </header>
  );
}

function Breadcrumb(): React.JSX.Element {
  const title = usePageTitle();
  const parent = useParentScreen();
  return (
    <nav aria-label="Breadcrumb" className="min-w-0">
      <ol className="flex items-center gap-2 text-fg-muted">
        <li className="hidden sm:block">Pricewright</li>
        <li aria-hidden className="hidden sm:block">
          /
        </li>
        {parent !== null && (
          <>
            <li>
              <Link to={parent.path} className="hover:underline">
                {parent.label}
              </Link>
            </li>
            <li aria-hidden>/</li>
          </>
        )}
        <li aria-current="page" className="truncate font-medium text-fg">
          {title}
        </li>
      </ol>
    </nav>
  );
}

function SearchButton(): React.JSX.Element {
  const keyText = useKeyText(KEYS.palette);
  return (
    <Tip text="Search and commands" shortcut={KEYS.palette}>
      <Button
        look="outline"
        aria-label="Search and commands"
        aria-keyshortcuts={ariaKeys(KEYS.palette)}
        onClick={() => showOverlay('palette')}
        className="max-md:w-11 max-md:border-transparent max-md:px-0 md:min-w-44 md:justify-start md:font-normal md:text-fg-muted"
      >
        <Search aria-hidden />
        <span className="hidden md:inline">Search</span>
        <kbd className="ml-auto hidden font-mono text-xs md:inline">{keyText}</kbd>
      </Button>
    </Tip>
  );
}
