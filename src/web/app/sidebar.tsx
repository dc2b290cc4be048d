import { X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { useRef } from 'react';
import type { SessionUser } from '#contract/session.ts';
import { classNames } from '#web/lib/class-names.ts';
import { BrandMark } from '#web/ui/brand.tsx';
import { Button } from '#web/ui/button.tsx';
import { listedScreens, openScreens, type Screen } from './navigation.ts';
import { SidebarAccount } from './sidebar-account.tsx';
import { SidebarNavigation } from './sidebar-navigation.tsx';

type SidebarProps = { user: SessionUser; screens: readonly Screen[] };

/** The sidebar next to the page: 16rem, or 3rem with icons only. */
export function Sidebar({
  user,
  screens,
  isExpanded,
}: SidebarProps & { isExpanded: boolean }): React.JSX.Element {
  return (
    <aside
      data-state={isExpanded ? 'expanded' : 'collapsed'}
      className={classNames(
        'sticky top-0 flex h-dvh shrink-0 flex-col overflow-x-hidden border-r bg-sidebar motion-safe:transition-[width] motion-safe:duration-180 print:hidden',
        isExpanded ? 'w-64' : 'w-12',
      )}
    >
      <SidebarContent user={user} screens={screens} isExpanded={isExpanded} />
    </aside>
  );
}

type MobileSidebarProps = SidebarProps & { isOpen: boolean; onClose: () => void };

/** Below 768 px: a sheet of 18rem over the page. Following a link closes it. */
export function MobileSidebar({ user, screens, isOpen, onClose }: MobileSidebarProps): React.JSX.Element {
  const opener = useRef<Element>(null);
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        {/* Our own backdrop: the library's adds a style element, which the content security policy blocks. */}
        <div data-scroll-lock aria-hidden className="fixed inset-0 z-30 animate-fade-in bg-backdrop" />
        <Dialog.Content
          aria-describedby={undefined}
          onOpenAutoFocus={() => {
            opener.current = document.activeElement;
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            giveFocusBack(opener.current);
          }}
          className="fixed inset-y-0 left-0 z-30 flex w-72 max-w-[85vw] animate-slide-in flex-col border-r bg-sidebar shadow-floating"
        >
          <Dialog.Title className="sr-only">Sidebar</Dialog.Title>
          <SidebarContent user={user} screens={screens} isExpanded onFollow={onClose} />
          <Dialog.Close asChild>
            <Button look="quiet" size="icon" aria-label="Close sidebar" className="absolute top-0.5 right-2">
              <X aria-hidden />
            </Button>
          </Dialog.Close>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

// A followed link has moved the focus to the heading of its page; keep it there.
function giveFocusBack(opener: Element | null): void {
  const isOnHeading = document.activeElement?.tagName === 'H1';
  if (!isOnHeading && opener instanceof HTMLElement) opener.focus();
}

type ContentProps = SidebarProps & { isExpanded: boolean; onFollow?: () => void };

function SidebarContent({ user, screens, isExpanded, onFollow }: ContentProps): React.JSX.Element {
  const visible = listedScreens(openScreens(screens, user.role));
  return (
    <>
      <div
        className={classNames(
          'flex h-12 shrink-0 items-center gap-2.5',
          isExpanded ? 'px-4' : 'justify-center',
        )}
      >
        <BrandMark className="size-5.5 shrink-0" />
        {isExpanded && <span className="text-md font-semibold tracking-[-0.01em]">Pricewright</span>}
      </div>
      <SidebarNavigation screens={visible} isExpanded={isExpanded} onFollow={onFollow} />
      <SidebarAccount user={user} isExpanded={isExpanded} onFollow={onFollow} />
    </>
  );
}
