import { PanelLeft } from 'lucide-react';
import { HaltButton } from '#web/features/engine/halt-button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { JobsTray } from './jobs-tray.tsx';
import type { SidebarState } from './sidebar-state.ts';
import { ThemeToggle } from './theme-toggle.tsx';
import { usePageTitle } from './use-page-change.ts';

/** The bar over every screen: sidebar toggle, where you are, theme. */
export function HeaderBar({ sidebar }: { sidebar: SidebarState }): React.JSX.Element {
  const isOpen = sidebar.isMobile ? sidebar.isSheetOpen : sidebar.isExpanded;
  return (
    <header className="sticky top-0 z-10 flex h-14 shrink-0 items-center gap-3 border-b bg-surface px-4 print:hidden">
      <IconButton name="Toggle sidebar" keys="Ctrl+B" aria-expanded={isOpen} onClick={sidebar.toggle}>
        <PanelLeft aria-hidden />
      </IconButton>
      <div className="h-5 w-px bg-border" />
      <Breadcrumb />
      <div className="ml-auto flex items-center gap-1">
        <HaltButton />
        <JobsTray />
        <ThemeToggle />
      </div>
    </header>
  );
}

function Breadcrumb(): React.JSX.Element {
  const title = usePageTitle();
  return (
    <nav aria-label="Breadcrumb" className="min-w-0">
      <ol className="flex items-center gap-2 text-fg-muted">
        <li className="hidden sm:block">Pricewright</li>
        <li aria-hidden className="hidden sm:block">
          /
        </li>
        <li aria-current="page" className="truncate font-medium text-fg">
          {title}
        </li>
      </ol>
    </nav>
  );
}
