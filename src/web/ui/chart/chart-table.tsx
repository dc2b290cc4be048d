import { Link } from '@tanstack/react-router';
import { Cell, HeadCell, PlainTable } from '#web/ui/plain-table.tsx';
import type { ChartData, ChartPoint } from './chart-data.ts';

type ChartTableProps = { caption: string; data: ChartData };

/** The numbers of a chart, one row for each point. */
export function ChartTable({ caption, data: { columns, points } }: ChartTableProps): React.JSX.Element {
  return (
    <PlainTable
      caption={caption}
      className="max-h-80 overflow-y-auto print:max-h-none print:overflow-visible"
    >
      <thead>
        <tr>
          {columns.map((column, at) => (
            <HeadCell key={column} numeric={at > 0} className="sticky top-0 bg-surface">
              {column}
            </HeadCell>
          ))}
        </tr>
      </thead>
      <tbody>
        {points.map((point) => (
          <Row key={point.key} point={point} columns={columns} />
        ))}
      </tbody>
    </PlainTable>
  );
}

function Row({ point, columns }: { point: ChartPoint; columns: readonly string[] }): React.JSX.Element {
  return (
    <tr className="break-inside-avoid">
      {point.cells.map(({ text }, at) => (
        <Cell
          key={columns[at]}
          numeric={at > 0}
          className="h-9 text-sm whitespace-nowrap print:whitespace-normal"
        >
          {at === 0 && point.link !== undefined ? (
            <Link {...point.link} className="text-link underline">
              {text}
            </Link>
          ) : (
            text
          )}
        </Cell>
      ))}
    </tr>
  );
}
