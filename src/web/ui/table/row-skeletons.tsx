import { Skeleton } from '#web/ui/skeleton.tsx';
import { ALIGN, type PlacedColumn } from './column.ts';

const WIDTHS = ['w-4/5', 'w-3/5', 'w-2/3', 'w-1/2', 'w-3/4', 'w-2/5', 'w-5/6', 'w-7/12'];

type RowSkeletonsProps<Row> = { placed: readonly PlacedColumn<Row>[]; height: number; hasSelection: boolean };

/** Rows in grey, in the place of those on their way. */
export function RowSkeletons<Row>({
  placed,
  height,
  hasSelection,
}: RowSkeletonsProps<Row>): React.JSX.Element {
  return (
    <tbody aria-hidden data-testid="row-skeletons">
      {WIDTHS.map((width) => (
        <tr key={width} style={{ height }} className="table-row-line">
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
