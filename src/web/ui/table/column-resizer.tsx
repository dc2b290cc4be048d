import { useState } from 'react';
import { MAX_COLUMN_WIDTH, MIN_COLUMN_WIDTH } from './column.ts';
import { clampWidth } from './table-layout.ts';

/** Only a focusable separator counts as a control. */
const FOCUSABLE = { tabIndex: 0 };

type ColumnResizerProps = { label: string; width: number; onWidth: (width: number) => void };

const STEP = 8;
const WIDE_STEP = 32;
/** Left and right padding of a cell, in pixels. */
const CELL_PADDING = 18;

/** The edge of a column: drag it, or focus it and use the arrow keys; a double click fits the content. */
export function ColumnResizer({ label, width, onWidth }: ColumnResizerProps): React.JSX.Element {
  const [drag, setDrag] = useState<{ from: number; width: number } | null>(null);
  return (
    <hr
      {...FOCUSABLE}
      aria-orientation="vertical"
      aria-label={`Width of ${label}`}
      aria-valuenow={width}
      aria-valuemin={MIN_COLUMN_WIDTH}
      aria-valuemax={MAX_COLUMN_WIDTH}
      aria-valuetext={`${width} pixels`}
      onKeyDown={(event) => {
        const step = event.shiftKey ? WIDE_STEP : STEP;
        if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
        event.preventDefault();
        onWidth(clampWidth(width + (event.key === 'ArrowRight' ? step : -step)));
      }}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        setDrag({ from: event.clientX, width });
      }}
      onPointerMove={(event) => drag !== null && onWidth(clampWidth(drag.width + event.clientX - drag.from))}
      onPointerUp={() => setDrag(null)}
      onPointerCancel={() => setDrag(null)}
      onDoubleClick={(event) => onWidth(clampWidth(contentWidth(event.currentTarget)))}
      className="table-resizer"
    />
  );
}

/** The width of the widest content of the separator's column, as rendered now. */
function contentWidth(separator: HTMLElement): number {
  const header = separator.closest('th');
  const id = header?.dataset.column;
  const cells = header?.closest('table')?.querySelectorAll('td[data-column], th[data-column]') ?? [];
  const range = document.createRange();
  let widest = 0;
  for (const cell of cells) {
    if (!(cell instanceof HTMLElement) || cell.dataset.column !== id) continue;
    range.selectNodeContents(cell.querySelector('button') ?? cell);
    widest = Math.max(widest, range.getBoundingClientRect().width);
  }
  return widest + CELL_PADDING;
}
