import { formatCount } from '#web/lib/format.ts';
import { ListFoot, TurnButtons } from './list-foot.tsx';

type PagerProps = {
  /** From 1. */
  page: number;
  size: number;
  total: number;
  /** False while the total is an estimate, shown as "about 12,400". */
  isTotalExact?: boolean;
  sizes: readonly number[];
  onPage: (page: number) => void;
  onSize: (size: number) => void;
  /** Instead of "0-0 of 0": "No SKUs". */
  none?: string;
  /** A page is loading: buttons and keys do nothing, and the focus stays. */
  isBusy?: boolean;
};

/** The foot of a list with numbered pages: rows per page, the range of rows, and the paging buttons. */
export function Pager(props: PagerProps): React.JSX.Element {
  const { page, size, total, isTotalExact = true, sizes, onPage, onSize, none, isBusy = false } = props;
  const pages = lastPage(total, size);
  const first = total === 0 ? 0 : (page - 1) * size + 1;
  return (
    <ListFoot size={size} sizes={sizes} onSize={onSize}>
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
      <TurnButtons
        back={{ name: 'Previous page', go: page <= 1 ? null : () => onPage(page - 1) }}
        on={{ name: 'Next page', go: page >= pages ? null : () => onPage(page + 1) }}
        isBusy={isBusy}
      />
    </ListFoot>
  );
}

/** The number of the last page; an empty list has one page. */
export function lastPage(total: number, size: number): number {
  return Math.max(1, Math.ceil(total / size));
}
