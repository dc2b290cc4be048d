import { Download, Table2 } from 'lucide-react';
import { useId, useState } from 'react';
import { classNames } from '#web/lib/class-names.ts';
import { downloadText } from '#web/lib/download.ts';
import { useMediaQuery } from '#web/lib/use-media-query.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { type ChartData, csvOf, readoutOf } from './chart-data.ts';
import { ChartTable } from './chart-table.tsx';
import { useChartCursor } from './use-chart-cursor.ts';
import { useElementWidth } from './use-element-width.ts';

/** Props shared by all charts. */
export interface ChartProps {
  /** The finding: "Price fell 6% in 30 days". */
  readonly title: string;
  /** A sentence under the title: the time window, or the unit. */
  readonly note?: string;
  /** Height of the drawing in pixels. */
  readonly height?: number;
  /** Between title and drawing: a total, or a legend. */
  readonly lead?: React.ReactNode;
  /** Controls next to the title, such as a range. */
  readonly controls?: React.ReactNode;
  /** Level of the title's heading: 2 for a card that has no other. */
  readonly level?: 2 | 3;
  /** Name of the CSV file, without extension. */
  readonly fileName?: string;
}

export interface PlotSize {
  readonly width: number;
  readonly height: number;
}

type ChartFrameProps = ChartProps & {
  data: ChartData;
  /** The drawing; `active` is the point to mark. */
  children: (size: PlotSize, active: number | null) => React.ReactNode;
  /** The point nearest to a position. @param x pixels from the left edge of the drawing */
  pointAt: (x: number, size: PlotSize) => number | null;
  /** Called for Enter on a point. */
  onPick?: (index: number) => void;
};

// The drawing is one tab stop with keys of its own.
const ONE_STOP = { tabIndex: 0, 'aria-roledescription': 'chart' };
const HEIGHT = 240;

/** The frame of every chart: title, one tab stop, a readout point by point, its numbers as a table. */
export function ChartFrame(props: ChartFrameProps): React.JSX.Element {
  const {
    title,
    note,
    height = HEIGHT,
    data,
    fileName,
    lead,
    controls,
    level = 3,
    children,
    pointAt,
    onPick,
  } = props;
  const Heading = `h${level}` as const;
  const [isTable, setTable] = useState(false);
  // On paper the table is always below the chart.
  const isPrinting = useMediaQuery('print');
  const [box, width] = useElementWidth<HTMLDivElement>();
  const cursor = useChartCursor(data.points.length, onPick);
  const [isFocused, setFocused] = useState(false);
  const hint = useId();
  const size = { width, height };
  const onPointerMove = (event: React.PointerEvent): void => {
    const left = event.currentTarget.getBoundingClientRect().left;
    cursor.point(pointAt(event.clientX - left, size));
  };
  return (
    <figure className="flex min-w-0 flex-col gap-2">
      <div className="flex items-start gap-2">
        <figcaption className="min-w-0 flex-1">
          <Heading className="text-md font-semibold text-balance">{title}</Heading>
          {note !== undefined && <p className="text-sm text-fg-muted">{note}</p>}
        </figcaption>
        {controls}
        <Numbers
          isShown={isTable}
          onShown={setTable}
          onDownload={
            fileName === undefined
              ? undefined
              : () => downloadText(`${fileName}.csv`, 'text/csv', csvOf(data))
          }
        />
      </div>
      {lead}
      <div
        {...ONE_STOP}
        role="application"
        ref={box}
        aria-label={title}
        aria-describedby={hint}
        className="relative min-w-0 rounded-md"
        style={{ height }}
        onKeyDown={cursor.onKeyDown}
        onFocus={() => setFocused(true)}
        onBlur={() => {
          setFocused(false);
          cursor.point(null);
        }}
        onPointerMove={onPointerMove}
        onPointerLeave={() => cursor.point(null)}
      >
        <svg
          role="presentation"
          width={width}
          height={height}
          className="block animate-fade-in overflow-visible"
        >
          {children(size, cursor.index)}
        </svg>
      </div>
      <Readout cursor={cursor} data={data} isFocused={isFocused} hint={hint} />
      {(isTable || isPrinting) && <ChartTable caption={title} data={data} />}
    </figure>
  );
}

type ReadoutProps = {
  cursor: ReturnType<typeof useChartCursor>;
  data: ChartData;
  isFocused: boolean;
  hint: string;
};

/** Announces the point. Its room is reserved from the start, so that nothing below moves. */
function Readout({ cursor, data, isFocused, hint }: ReadoutProps): React.JSX.Element {
  const said = cursor.index === null ? '' : readoutOf(data, cursor.index);
  return (
    <div
      className={classNames(
        'text-sm tabular-nums print:hidden',
        data.columns.length > 3 ? 'min-h-10' : 'min-h-5',
      )}
    >
      <p role="status" aria-live={cursor.isByKeys ? 'polite' : 'off'}>
        {said}
      </p>
      <p id={hint} className={classNames('text-fg-muted', (said !== '' || !isFocused) && 'sr-only')}>
        {data.points.length} points. Left and Right move between points, Home and End go to the ends.
      </p>
    </div>
  );
}

type NumbersProps = {
  isShown: boolean;
  onShown: (isShown: boolean) => void;
  onDownload: (() => void) | undefined;
};

/** The same numbers as a table, and as a file. */
function Numbers({ isShown, onShown, onDownload }: NumbersProps): React.JSX.Element {
  return (
    <div className="-my-1.5 flex print:hidden">
      <IconButton name="Show as table" isSmall aria-pressed={isShown} onClick={() => onShown(!isShown)}>
        <Table2 aria-hidden />
      </IconButton>
      {onDownload !== undefined && (
        <IconButton name="Download numbers" isSmall onClick={onDownload}>
          <Download aria-hidden />
        </IconButton>
      )}
    </div>
  );
}
