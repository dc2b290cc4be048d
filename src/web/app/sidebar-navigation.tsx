import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { classNames } from '#web/lib/class-names.ts';
import { useParentScreen } from '#web/lib/parent-screen.ts';
import { Tip } from '#web/ui/tooltip.tsx';
import type { ListedScreen } from './navigation.ts';

type SidebarNavigationProps = {
  /** The screens the user may open. */
  screens: readonly ListedScreen[];
  isExpanded: boolean;
  onFollow?: (() => void) | undefined;
};

/** The links to the screens; Administration has a heading of its own. */
export function SidebarNavigation({
  screens,
  isExpanded,
  onFollow,
}: SidebarNavigationProps): React.JSX.Element {
  const links = (isOf: (screen: ListedScreen) => boolean): React.JSX.Element[] =>
    screens.filter(isOf).map((screen) => (
      <li key={screen.path}>
        <ScreenLink screen={screen} isExpanded={isExpanded} onFollow={onFollow} />
      </li>
    ));
  return (
    <nav aria-label="Main" className="flex flex-1 flex-col gap-4 overflow-y-auto px-2 max-md:px-1.5">
      <ul className="flex flex-col gap-px">{links(({ access }) => access === 'user')}</ul>
      <Group name="Administration" isExpanded={isExpanded}>
        {links(({ access }) => access === 'admin')}
      </Group>
    </nav>
  );
}

type GroupProps = { name: string; isExpanded: boolean; children: readonly React.JSX.Element[] };

function Group({ name, isExpanded, children }: GroupProps): React.JSX.Element | null {
  const headingId = useId();
  if (children.length === 0) return null;
  return (
    <div>
      <h2
        id={headingId}
        className={classNames('px-2 pb-1 text-xs font-medium text-fg-muted', !isExpanded && 'sr-only')}
      >
        {name}
      </h2>
      {!isExpanded && <div className="mx-1 mb-4 border-t" />}
      <ul aria-labelledby={headingId} className="flex flex-col gap-px">
        {children}
      </ul>
    </div>
  );
}

type ScreenLinkProps = { screen: ListedScreen; isExpanded: boolean; onFollow?: (() => void) | undefined };

/** As of the current page, which is one of this screen's. */
const PARENT = { 'data-status': 'active', 'aria-current': 'true' } as const;

function ScreenLink({ screen, isExpanded, onFollow }: ScreenLinkProps): React.JSX.Element {
  const Icon = screen.icon;
  const isParent = useParentScreen()?.path === screen.path;
  return (
    <Tip text={screen.label} side="right" enabled={!isExpanded}>
      <Link
        to={screen.path}
        activeOptions={{ exact: screen.path === '/', includeSearch: false }}
        {...(isParent && PARENT)}
        onClick={onFollow}
        className="flex h-11 items-center gap-2.5 rounded-md border border-transparent px-[7px] font-medium text-fg-muted hover:bg-fill hover:text-fg data-[status=active]:border-border data-[status=active]:bg-surface data-[status=active]:text-fg dense:h-7.5 dark:data-[status=active]:border-transparent dark:data-[status=active]:bg-fill"
      >
        <Icon aria-hidden className="size-4 shrink-0" />
        <span className={classNames('truncate', !isExpanded && 'sr-only')}>{screen.label}</span>
      </Link>
    </Tip>
  );
}
