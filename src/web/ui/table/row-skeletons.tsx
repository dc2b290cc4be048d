import { Skeleton } from '#web/ui/skeleton.tsx';
import { ALIGN, type PlacedColumn } from './column.ts';

const WIDTHS = ['w-4/5', 'w-3/5', 'w-2/3', 'w-1/2', 'w-3/4', 'w-2/5', 'w-5/6', 'w-7/12'];

/** More than fit a window. */
const MOST = 40;

type RowSkeletonsProps<Row> = {
  placed: readonly PlacedColumn<Row>[];
  height: number;
  hasSelection: boolean;
  /** The number of rows if known, so that the content below does not move. */
  count: number | undefined;
};

/** Skeletons in place of loading rows. */
export function RowSkeletons<Row>({
  placed,
  height,
  hasSelection,
  count = WIDTHS.length,
}: RowSkeletonsProps<Row>): React.JSX.Element {
  const widths = Array.from({ length: Math.min(count, MOST) }, (_, index) => ({
    row: index,
    width: WIDTHS[index % WIDTHS.length],
  }));
  return (
    <tbody aria-hidden data-testid="row-skeletons">
      {widths.map(({ row, width }) => (
        <tr key={row} style={{ height }} className="table-row-line">
          {hasSelection && <td className="table-cell-box" />}
          {placed.map(({ column }) => (
            <td key={column.id} className={`table-cell-box ${ALIGN[column.align ?? 'left']}`}>
              <Skeleton className={`inline-block ${width}`} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}

/** The same on a narrow screen. */
export function CardSkeletons(): React.JSX.Element {
  return (
    <div aria-hidden data-testid="row-skeletons" className="flex flex-col gap-2">
      {WIDTHS.map((width) => (
        <div key={width} className="rounded-lg border bg-surface p-4">
          <Skeleton className={width} />
          <Skeleton className="mt-3 w-1/3" />
        </div>
      ))}
    </div>
  );
}
