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
    // Takes no room: the table under it does not move. It is above the pager, and on a long page above the window's edge.
    <div className="dark @container sticky bottom-2 z-20 h-0 print:hidden">
      <section
        ref={bar}
        aria-label="Selected rows"
        className="bulk-bar absolute bottom-2 left-1/2 flex min-h-12 w-max max-w-full -translate-x-1/2 items-center gap-1 rounded-xl bg-bar pr-2 pl-3.5 text-bar-fg shadow-floating"
      >
        <span className="max-w-40 leading-tight font-medium">{selectionText(selection, shown)}</span>
        {/* Without room the buttons scroll in one line, or they would cover the list. */}
        <div className="flex min-w-0 items-center gap-1 overflow-x-auto px-2 py-1.5">{children}</div>
        <Button look="quiet" aria-label="Clear selection" onClick={clear}>
          <X aria-hidden />
          <span className="max-md:sr-only">Clear</span>
        </Button>
      </section>
    </div>
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
