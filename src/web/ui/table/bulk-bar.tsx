import { X } from 'lucide-react';
import { useRef } from 'react';
import { formatCount } from '#web/lib/format.ts';
import { KEYS } from '#web/lib/keys.ts';
import { useShortcut } from '#web/lib/shortcuts.ts';
import { toast } from '#web/lib/use-toast.ts';
import { Button } from '#web/ui/button.tsx';
import type { TableSelection } from './use-selection.ts';

type BulkBarProps = {
  selection: TableSelection;
  noun: { readonly many: string };
  /** Ids of the rows on this page. */
  shown: readonly string[];
  /** The buttons. */
  children: React.ReactNode;
};

/** Actions for the selected rows. Stays visible at the bottom while rows are selected. */
export function BulkBar({ selection, noun, shown, children }: BulkBarProps): React.JSX.Element | null {
  const bar = useRef<HTMLElement>(null);
  // Behind the rows of a long page it is a hundred Tabs away.
  const goThere = (): void => bar.current?.querySelector('button')?.focus();
  useShortcut(KEYS.selectionActs, selection.count === 0 ? undefined : goThere);
  if (selection.count === 0) return null;
  const clear = (): void => {
    selection.clear();
    toast('Selection Cleared', `No ${noun.many} are selected.`);
  };
  return (
    <section
      ref={bar}
      aria-label="Selected rows"
      className="@container sticky bottom-0 z-20 -mx-4 border-y border-border-control bg-raised px-4 py-2 pb-[max(0.5rem,env(safe-area-inset-bottom))] shadow-floating md:bottom-3 md:mx-0 md:rounded-lg md:border-x print:hidden"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 @5xl:flex-nowrap">
        <span className="leading-tight font-medium tabular-nums">{selectionText(selection, shown)}</span>
        {/* Without room next to the count the buttons scroll in one line, or they would cover the list. */}
        <div className="order-1 -m-1 flex w-full items-center gap-2 overflow-x-auto p-1 @5xl:order-none @5xl:w-auto @5xl:shrink-0 @5xl:flex-wrap @5xl:overflow-visible">
          {children}
        </div>
        <Button look="quiet" className="ml-auto" aria-label="Clear selection" onClick={clear}>
          <X aria-hidden />
          Clear
        </Button>
      </div>
    </section>
  );
}

/** "12 selected (5 on other pages)" */
function selectionText(selection: TableSelection, shown: readonly string[]): string {
  const count = formatCount(selection.count);
  if (selection.selected.kind === 'matching') return `All ${count} matching selected`;
  const hidden = selection.count - shown.filter(selection.has).length;
  if (hidden === 0) return `${count} selected`;
  const where = selection.isFilterChanged ? 'on other pages or hidden by the filter' : 'on other pages';
  return `${count} selected (${formatCount(hidden)} ${where})`;
}
