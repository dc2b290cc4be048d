import { useLinkProps } from '@tanstack/react-router';
import {
  Archive,
  BookLock,
  Boxes,
  KeyRound,
  LogIn,
  type LucideIcon,
  Plug,
  ShieldCheck,
  SlidersHorizontal,
  Store,
  Webhook,
} from 'lucide-react';
import { useEffect, useState } from 'react';
import { classNames } from '#web/lib/class-names.ts';
import { SECTION_TITLES, SECTIONS, type SectionId } from './sections.ts';

const ICONS: Readonly<Record<SectionId, LucideIcon>> = {
  general: SlidersHorizontal,
  limits: ShieldCheck,
  'own-sellers': Store,
  inventory: Boxes,
  marketplaces: Plug,
  backups: Archive,
  books: BookLock,
  login: LogIn,
  'api-tokens': KeyRound,
  webhooks: Webhook,
};

type SectionNavigationProps = {
  /** Sections with unsaved changes. */
  unsaved: ReadonlySet<SectionId>;
};

/**
 * Links to the sections: at the left while there is room, else a row above them that scrolls sideways. The one on screen is
 * marked, and those with unsaved changes have a dot.
 */
export function SectionNavigation({ unsaved }: SectionNavigationProps): React.JSX.Element {
  const current = useSectionOnScreen();
  return (
    <nav
      aria-label="Sections"
      className="tab-row sticky top-12 z-10 -mx-4 flex gap-x-4.5 overflow-x-auto bg-canvas px-4 md:-mx-6 md:px-6 lg:top-16 lg:m-0 lg:w-57 lg:shrink-0 lg:flex-col lg:gap-y-0.5 lg:self-start lg:overflow-visible lg:p-0 lg:shadow-none"
    >
      {SECTIONS.map((id) => (
        <SectionLink key={id} id={id} isCurrent={id === current} isUnsaved={unsaved.has(id)} />
      ))}
      {unsaved.size > 0 && (
        <p className="px-2.5 pt-2 text-sm text-fg-muted max-lg:sr-only">A dot marks what is not saved yet</p>
      )}
    </nav>
  );
}

type SectionLinkProps = { id: SectionId; isCurrent: boolean; isUnsaved: boolean };

function SectionLink({ id, isCurrent, isUnsaved }: SectionLinkProps): React.JSX.Element {
  const link = useLinkProps({ to: '/settings', search: true, hash: id });
  const Icon = ICONS[id];
  return (
    <a
      {...link}
      // The router would mark all of them, for they lead to one page.
      aria-current={isCurrent ? 'true' : undefined}
      className={classNames(
        'flex h-11 shrink-0 items-center gap-2.5 border-y-2 border-transparent font-medium whitespace-nowrap focus-visible:-outline-offset-2 dense:h-10 lg:h-8 lg:rounded-md lg:border-0 lg:px-2.5 dense:lg:h-8',
        isCurrent ? 'border-b-primary text-fg lg:bg-fill' : 'text-fg-muted hover:text-fg lg:hover:bg-hover',
      )}
    >
      <Icon aria-hidden className="size-4 max-lg:hidden" />
      {SECTION_TITLES[id]}
      {isUnsaved && (
        <span className="size-1.5 rounded-full bg-primary lg:ml-auto">
          <span className="sr-only">, not saved yet</span>
        </span>
      )}
    </a>
  );
}

/** Below the header and the row of links, in pixels. */
const READ_FROM = 140;

/** The section at the top of the screen; the last one at the end of the page. */
function useSectionOnScreen(): SectionId {
  const [current, setCurrent] = useState<SectionId>('general');
  useEffect(() => {
    const find = (): void => {
      const { scrollHeight, clientHeight, scrollTop } = document.documentElement;
      const isAtEnd = scrollTop > 0 && scrollHeight - clientHeight - scrollTop < 2;
      const started = SECTIONS.filter((id) => {
        const top = document.getElementById(id)?.getBoundingClientRect().top;
        return top !== undefined && (isAtEnd || top <= READ_FROM);
      });
      setCurrent(started.at(-1) ?? 'general');
    };
    find();
    window.addEventListener('scroll', find, { passive: true });
    return () => window.removeEventListener('scroll', find);
  }, []);
  return current;
}
