import { Tabs } from 'radix-ui';
import type { ComponentProps } from 'react';
import { classNames } from '#web/lib/class-names.ts';

/** A tab, also for a link that looks like one: `data-state=active` or `aria-current` marks the selected one. */
export const tabClasses =
  'inline-flex h-11 shrink-0 items-center gap-1.5 whitespace-nowrap border-y-2 border-transparent font-medium text-fg-muted hover:text-fg focus-visible:-outline-offset-2 aria-[current=page]:border-b-primary aria-[current=page]:text-fg data-[state=active]:border-b-primary data-[state=active]:text-fg dense:h-10';

/** Shows one of several panels. */
export const TabGroup: typeof Tabs.Root = Tabs.Root;

/** The row of tabs over a line as wide as its panel. Without room it scrolls sideways. */
export function TabBar({ className, ...rest }: ComponentProps<typeof Tabs.List>): React.JSX.Element {
  return <Tabs.List className={classNames('tab-row flex gap-4.5 overflow-x-auto', className)} {...rest} />;
}

/** One tab. The selected one is underlined, so that it does not depend on color. */
export function Tab({ className, ...rest }: ComponentProps<typeof Tabs.Trigger>): React.JSX.Element {
  return <Tabs.Trigger className={classNames(tabClasses, className)} {...rest} />;
}

/** The panel of a tab. */
export const TabPanel: typeof Tabs.Content = Tabs.Content;
