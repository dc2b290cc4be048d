import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Pencil, Users } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Badge } from '#web/ui/badge.tsx';
import { TabCount } from '#web/ui/tab-count.tsx';
import { tabClasses } from '#web/ui/tabs.tsx';
import type { SavedViews, ViewParams } from './use-saved-views.ts';
import { ViewActions } from './view-actions.tsx';
import { viewsQuery } from './view-calls.ts';

interface ViewTotal {
  readonly total: number;
  readonly isTotalExact: boolean;
}

type ViewsBarProps = {
  views: SavedViews;
  /** "listings" */
  noun: string;
  /** The number of rows of each view by id; undefined before it is known. */
  totals?: ReadonlyMap<string, ViewTotal> | undefined;
  /** At the end of the tabs: the callout for new data. */
  children?: React.ReactNode;
};

/** Tabs above a table: the list without parameters, predefined and saved views; and actions for the active one. */
export function ViewsBar({ views, noun, totals, children }: ViewsBarProps): React.JSX.Element {
  const { list, builtIn, saved, activeId, isModified, isStandard } = views;
  const { isError } = useQuery(viewsQuery(list));
  const tabs = useRef<HTMLElement>(null);
  useInView(tabs, activeId);
  // One tab is no choice.
  const isAlone = builtIn.length + saved.length === 1;
  if (isAlone && !isModified && !isError) return <>{children}</>;
  return (
    <div className="@container flex min-w-0 items-center gap-x-2 print:hidden">
      {/* The callout takes its room from the tabs, which scroll: on a line of its own it would push the table down. */}
      <div className="flex min-w-0 flex-1 items-center gap-x-2">
        <nav
          ref={tabs}
          hidden={isAlone}
          aria-label={`Views of ${noun}`}
          className="relative min-w-16 flex-1 overflow-x-auto [scrollbar-width:none]"
        >
          <ul className="flex gap-4.5">
            {builtIn.map(({ id, name, query, asksForWork = false }) => (
              <ViewTab key={id} id={id} query={query} isActive={id === activeId}>
                {name}
                <ViewCount of={totals?.get(id)} asksForWork={asksForWork} />
              </ViewTab>
            ))}
            {saved.map(({ id, name, query, isShared, isMine, owner }) => (
              <ViewTab key={id} id={id} query={query} isActive={id === activeId}>
                {isShared && <Users aria-hidden className="size-3.5 shrink-0" />}
                {name}
                {isShared && <span className="sr-only">{isMine ? ', shared' : `, shared by ${owner}`}</span>}
                <ViewCount of={totals?.get(id)} asksForWork={false} />
              </ViewTab>
            ))}
          </ul>
        </nav>
        <div className="flex shrink-0 items-center">{children}</div>
      </div>
      {isError && <span className="py-2 text-sm text-danger-text">Failed to load the saved views.</span>}
      <div className="ml-auto flex shrink-0 items-center gap-1">
        {isModified && !isStandard && <Modified />}
        <ViewActions views={views} onDeleted={() => tabs.current?.querySelector('a')?.focus()} />
      </div>
    </div>
  );
}

/** Scrolls a row of tabs so that the active one is visible, as on a phone. */
function useInView(tabs: React.RefObject<HTMLElement | null>, activeId: string): void {
  useEffect(() => {
    const row = tabs.current;
    const tab = row?.querySelector<HTMLElement>(`[data-view="${activeId}"]`);
    if (row == null || tab == null) return;
    const { offsetLeft: left, offsetWidth: width } = tab;
    if (left < row.scrollLeft) row.scrollLeft = left;
    if (left + width > row.scrollLeft + row.clientWidth) row.scrollLeft = left + width - row.clientWidth;
  }, [tabs, activeId]);
}

type ViewTabProps = { id: string; query: ViewParams; isActive: boolean; children: React.ReactNode };

/** A link, so that a view can be opened in a new browser tab. */
function ViewTab({ id, query, isActive, children }: ViewTabProps): React.JSX.Element {
  return (
    <li>
      <Link
        to="."
        search={{ ...query, ...(id === '' ? {} : { view: id }) }}
        resetScroll={false}
        // Which one is active is ours to say: a list without parameters is part of every other view.
        activeOptions={{ exact: true, explicitUndefined: true }}
        activeProps={{}}
        data-view={id}
        aria-current={isActive ? 'page' : undefined}
        className={tabClasses}
      >
        {children}
      </Link>
    </li>
  );
}

type ViewCountProps = { of: ViewTotal | undefined; asksForWork: boolean };

function ViewCount({ of, asksForWork }: ViewCountProps): React.JSX.Element {
  return <TabCount of={of?.total ?? null} isExact={of?.isTotalExact !== false} asksForWork={asksForWork} />;
}

function Modified(): React.JSX.Element {
  return (
    <Badge tone="warning" icon={Pencil}>
      Modified
    </Badge>
  );
}
