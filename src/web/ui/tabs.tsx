import { Tabs } from 'radix-ui';
import type { ComponentProps } from 'react';
import { classNames } from '#web/lib/class-names.ts';

/** Shows one of several panels. */
export const TabGroup: typeof Tabs.Root = Tabs.Root;

/** The row of tabs, as wide as its panel. */
export function TabBar({ className, ...rest }: ComponentProps<typeof Tabs.List>): React.JSX.Element {
  return <Tabs.List className={classNames('flex gap-1 rounded-md bg-hover p-1', className)} {...rest} />;
}

/** One tab. The selected one is raised and bold, so that it does not depend on color. */
export function Tab({ className, ...rest }: ComponentProps<typeof Tabs.Trigger>): React.JSX.Element {
  return (
    <Tabs.Trigger
      className={classNames(
        'h-11 flex-1 whitespace-nowrap rounded-sm border border-transparent px-1.5 text-fg-muted hover:text-fg sm:px-3 dense:h-8',
        'data-[state=active]:border-border data-[state=active]:bg-surface data-[state=active]:font-semibold data-[state=active]:text-fg',
        className,
      )}
      {...rest}
    />
  );
}

/** The panel of a tab. */
export const TabPanel: typeof Tabs.Content = Tabs.Content;
