import { type Density, MAX_COLUMN_WIDTH, MIN_COLUMN_WIDTH, ROW_HEIGHTS, type TableColumn } from './column.ts';

/** The user's changes to a table. Ids of columns that no longer exist are ignored. */
export interface TableLayout {
  /** Ids in the user's order; empty for the default order. */
  readonly order: readonly string[];
  readonly hidden: readonly string[];
  /** Optional columns that the user has shown, and others that stay visible without a value. */
  readonly shown?: readonly string[] | undefined;
  /** Pixels by column id. */
  readonly widths: Readonly<Record<string, number>>;
  /** Null for the table's default. */
  readonly density: Density | null;
}

export const NO_LAYOUT: TableLayout = { order: [], hidden: [], widths: {}, density: null };

/** Whether two layouts show the same. */
export function isSameLayout(one: TableLayout, other: TableLayout): boolean {
  return layoutKey(one) === layoutKey(other);
}

function layoutKey({ order, hidden, shown = [], widths, density }: TableLayout): string {
  return JSON.stringify([
    order,
    hidden.toSorted(),
    shown.toSorted(),
    Object.entries(widths).toSorted(),
    density,
  ]);
}

/** Parses a stored layout; a damaged one counts as none. */
export function parseLayout(text: string | null): TableLayout {
  if (text === null) return NO_LAYOUT;
  try {
    const found: unknown = JSON.parse(text);
    return typeof found === 'object' && found !== null ? readLayout(found) : NO_LAYOUT;
  } catch {
    return NO_LAYOUT;
  }
}

function readLayout(found: object): TableLayout {
  const { order, hidden, shown, widths, density } = found as Record<string, unknown>;
  return {
    order: texts(order),
    hidden: texts(hidden),
    ...(Array.isArray(shown) ? { shown: texts(shown) } : {}),
    widths: typeof widths === 'object' && widths !== null ? readWidths(widths) : {},
    density: Object.keys(ROW_HEIGHTS).find((name): name is Density => name === density) ?? null,
  };
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function readWidths(widths: object): Record<string, number> {
  const read = Object.entries(widths).filter((entry): entry is [string, number] => Number.isFinite(entry[1]));
  return Object.fromEntries(read.map(([id, width]) => [id, clampWidth(width)]));
}

/** Allowed column width in pixels. */
export function clampWidth(width: number): number {
  return Math.round(Math.min(MAX_COLUMN_WIDTH, Math.max(MIN_COLUMN_WIDTH, width)));
}

/** All columns in the user's order. Columns newer than the layout are at their default position. */
export function orderedIds<Row>(columns: readonly TableColumn<Row>[], order: readonly string[]): string[] {
  const delivered = columns.map(({ id }) => id);
  const chosen = order.filter((id) => delivered.includes(id));
  const result = [...chosen];
  for (const [place, id] of delivered.entries()) {
    if (!chosen.includes(id)) result.splice(place, 0, id);
  }
  return result;
}

/**
 * Moves a column past its neighbor. Pinned columns stay and are skipped.
 * @param step -1 towards the start, 1 towards the end
 * @returns the same layout if there is no neighbor
 */
export function moveColumn<Row>(
  layout: TableLayout,
  columns: readonly TableColumn<Row>[],
  id: string,
  step: -1 | 1,
): TableLayout {
  const order = orderedIds(columns, layout.order);
  const movable = new Set(columns.filter(({ pinned }) => pinned === undefined).map((column) => column.id));
  const from = order.indexOf(id);
  let to = from + step;
  while (to >= 0 && to < order.length && !movable.has(order[to] ?? '')) to += step;
  if (from < 0 || to < 0 || to >= order.length) return layout;
  const other = order[to] ?? id;
  return { ...layout, order: order.map((each) => (each === id ? other : each === other ? id : each)) };
}

/** The hidden columns: those the user hid, and optional ones not shown yet. */
export function hiddenIds<Row>(columns: readonly TableColumn<Row>[], layout: TableLayout): string[] {
  const { hidden, shown = [] } = layout;
  return columns.flatMap(({ id, isOptional = false }) =>
    (isOptional ? !shown.includes(id) : hidden.includes(id)) ? [id] : [],
  );
}

/**
 * Shows or hides a column.
 * @param isEmpty it has no value now, and is only visible where the user wants it
 */
export function withVisible<Row>(
  layout: TableLayout,
  columns: readonly TableColumn<Row>[],
  id: string,
  isVisible: boolean,
  isEmpty = false,
): TableLayout {
  const isOptional = columns.some((column) => column.id === id && column.isOptional === true);
  const among = (ids: readonly string[], isIn: boolean): string[] => {
    const others = ids.filter((other) => other !== id);
    return isIn ? [...others, id] : others;
  };
  const shown = among(layout.shown ?? [], isVisible);
  if (isOptional) return { ...layout, shown };
  return {
    ...layout,
    hidden: among(layout.hidden, !isVisible),
    ...((isEmpty || layout.shown?.includes(id)) && { shown }),
  };
}
