import { useState } from 'react';

export interface ChartCursor {
  /** The point that is read out; null for none. */
  readonly index: number | null;
  /** Whether the keys moved it: only then a screen reader announces it. */
  readonly isByKeys: boolean;
  readonly point: (index: number | null) => void;
  readonly onKeyDown: (event: React.KeyboardEvent) => void;
}

/**
 * The point of a chart that is read out. Left and Right move point by point, starting at the near end;
 * Home and End go to the ends.
 * @param onPick called for Enter on a point, if points are links
 */
export function useChartCursor(count: number, onPick?: (index: number) => void): ChartCursor {
  const [cursor, setCursor] = useState<{ index: number; isByKeys: boolean } | null>(null);
  const index = cursor !== null && cursor.index < count ? cursor.index : null;
  const onKeyDown = (event: React.KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.key === 'Enter' && index !== null && onPick !== undefined) onPick(index);
    const next = nextIndex(event.key, index, count);
    if (next === null) return;
    event.preventDefault();
    setCursor({ index: next, isByKeys: true });
  };
  return {
    index,
    isByKeys: cursor?.isByKeys ?? false,
    point: (at) => setCursor(at === null ? null : { index: at, isByKeys: false }),
    onKeyDown,
  };
}

function nextIndex(key: string, index: number | null, count: number): number | null {
  const last = count - 1;
  if (last < 0) return null;
  if (key === 'ArrowRight') return index === null ? 0 : Math.min(index + 1, last);
  if (key === 'ArrowLeft') return index === null ? last : Math.max(index - 1, 0);
  if (key === 'Home') return 0;
  return key === 'End' ? last : null;
}
