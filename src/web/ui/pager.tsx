import { ChevronLeft, ChevronRight } from 'lucide-react';
import { formatCount } from '#web/lib/format.ts';
import { KEYS } from '#web/lib/keys.ts';
import { useShortcuts } from '#web/lib/shortcuts.ts';
import { IconButton } from './icon-button.tsx';
import { SelectField } from './select-field.tsx';

type PagerProps = {
  /** From 1. */
  page: number;
  size: number;
  total: number;
  /** False while the total is an estimate: then it reads "about 12,400". */
  isTotalExact?: boolean;
  sizes: readonly number[];
  onPage: (page: number) => void;
  onSize: (size: number) => void;
  /** Instead of "0-0 of 0": "No SKUs". */
  none?: string;
  /** A page is on its way: the buttons do nothing, and keep the focus. */
  isBusy?: boolean;
};

/** The foot of a list: rows per page, which rows these are, and the way to the others. */
export function Pager(props: PagerProps): React.JSX.Element {
  const { page, size, total, isTotalExact = true, sizes, onPage, onSize, none, isBusy = false } = props;
  const pages = lastPage(total, size);
  const turn = (to: number): boolean => {
    if (to < 1 || to > pages) return false;
    onPage(to);
    return true;
  };
  useShortcuts([
    { definition: KEYS.previousPage, run: () => turn(page - 1) },
    { definition: KEYS.nextPage, run: () => turn(page + 1) },
  ]);
  const first = total === 0 ? 0 : (page - 1) * size + 1;
  return (
    <nav
      aria-label="Pages"
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 text-sm print:hidden"
    >
      <div className="flex items-center gap-2">
        <span aria-hidden className="text-fg-muted">
          Rows per page
        </span>
        <SelectField
          label="Rows per page"
          hideLabel
          compact
          options={sizes.map((each) => ({ value: String(each), label: String(each) }))}
          value={String(size)}
          onChange={(value) => onSize(Number(value))}
        />
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 tabular-nums">
        <span>
          {total === 0 && none !== undefined
            ? none
            : `${formatCount(first)}-${formatCount(Math.min(page * size, total))} of ${isTotalExact ? '' : 'about '}${formatCount(total)}`}
        </span>
        {total > 0 && (
          <span className="text-fg-muted">
            Page {formatCount(page)} of {formatCount(pages)}
          </span>
        )}
        <span className="flex gap-1">
          <IconButton
            look="outline"
            name="Previous page"
            shortcut={KEYS.previousPage}
            disabled={page <= 1}
            aria-disabled={isBusy || undefined}
            onClick={() => !isBusy && onPage(page - 1)}
          >
            <ChevronLeft aria-hidden />
          </IconButton>
          <IconButton
            look="outline"
            name="Next page"
            shortcut={KEYS.nextPage}
            disabled={page >= pages}
            aria-disabled={isBusy || undefined}
            onClick={() => !isBusy && onPage(page + 1)}
          >
            <ChevronRight aria-hidden />
          </IconButton>
        </span>
      </div>
    </nav>
  );
}

/** The number of the last page; an empty list has one page. */
export function lastPage(total: number, size: number): number {
  return Math.max(1, Math.ceil(total / size));
}
