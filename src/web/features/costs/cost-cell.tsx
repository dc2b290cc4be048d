import { Popover } from 'radix-ui';
import { createContext, useContext, useEffect, useId, useRef } from 'react';
import type { CostRow } from '#contract/cost-list.ts';
import type { CostPartName } from '#contract/costs.ts';
import { formatMoney } from '#web/lib/format.ts';
import { readCost } from '#web/ui/costs/cost-form.ts';
import { Tip } from '#web/ui/tooltip.tsx';
import { type CostDraft, type CostDrafts, keyOf } from './cost-drafts.ts';
import type { CostSeries } from './cost-series.ts';
import { cellName, whyFixed } from './cost-text.ts';

/** Props shared by the cells of the list. */
export interface CostCells {
  readonly drafts: CostDrafts;
  readonly series: CostSeries;
  /** The current row. */
  readonly find: (listingId: string) => CostRow | undefined;
  /** Whether the row above is of the same SKU: one title is enough for a group. */
  readonly isRepeated: (listingId: string) => boolean;
}

export const CostCellsContext: React.Context<CostCells | null> = createContext<CostCells | null>(null);

type CostCellProps = { row: CostRow; part: CostPartName };

/** One cost part of one listing, edited in place, down the column or along the row. */
export function CostCell({ row, part }: CostCellProps): React.JSX.Element {
  const cells = useContext(CostCellsContext);
  const fixed = whyFixed(row, part);
  const amount = row[`${part}Cost`];
  if (cells === null) return <CostAmount amount={amount} row={row} />;
  if (fixed !== null) {
    return (
      <Tip text={fixed}>
        <span>
          <CostAmount amount={amount} row={row} />
        </span>
      </Tip>
    );
  }
  return <EditableCost row={row} part={part} cells={cells} />;
}

/** An amount, or "unknown", which is not zero. */
export function CostAmount({ amount, row }: { amount: string | null; row: CostRow }): React.JSX.Element {
  if (amount !== null) return <>{formatMoney(amount)}</>;
  return (
    <span className="text-fg-muted">
      <span aria-hidden>–</span>
      <span className="sr-only">{row.isDecided ? 'unknown' : 'not calculated yet'}</span>
    </span>
  );
}

type EditableCostProps = CostCellProps & { cells: CostCells };

function EditableCost({ row, part, cells }: EditableCostProps): React.JSX.Element {
  const { drafts } = cells;
  const draft = drafts.use(keyOf(row.listingId, part));
  if (draft !== undefined) return <CostInput row={row} part={part} cells={cells} draft={draft} />;
  const amount = row[`${part}Cost`] ?? row.stored[part];
  return (
    <button
      type="button"
      data-cost-cell={part}
      data-listing={row.listingId}
      aria-label={`${cellName(row, part)}: ${amount === null ? 'unknown' : formatMoney(amount)}${part === 'fulfillment' && row.isFulfillmentEstimated ? ', estimated' : ''}. Change`}
      onClick={() => drafts.open(row, part)}
      onKeyDown={(event) => {
        if (event.key !== 'F2') return;
        event.preventDefault();
        event.stopPropagation();
        drafts.open(row, part);
      }}
      className="-mr-1.5 min-h-11 min-w-11 rounded-sm border border-transparent px-1.5 text-right tabular-nums hover:border-border-control hover:bg-surface md:min-h-7"
    >
      {part === 'fulfillment' && row.isFulfillmentEstimated && (
        <span aria-hidden className="mr-1 text-sm text-fg-muted">
          est.
        </span>
      )}
      <CostAmount amount={amount} row={row} />
    </button>
  );
}

/** Enter saves and moves to the row below, Tab saves and moves along, Escape restores. */
function CostInput(props: EditableCostProps & { draft: CostDraft }): React.JSX.Element {
  const { row, part, draft } = props;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const edit = useCostEdit(props, input);
  useEffect(() => {
    if (!draft.takesFocus) return;
    input.current?.focus();
    input.current?.select();
  }, [draft.takesFocus]);
  return (
    <Popover.Root open={draft.problem !== null}>
      <Popover.Anchor asChild>
        <input
          ref={input}
          data-cost-cell={part}
          data-listing={row.listingId}
          aria-label={cellName(row, part)}
          aria-invalid={draft.problem !== null}
          aria-describedby={draft.problem === null ? undefined : id}
          inputMode="decimal"
          autoComplete="off"
          placeholder={part === 'shipping' ? (row.shippingCost ?? undefined) : undefined}
          value={draft.text}
          onChange={(event) => edit.type(event.target.value)}
          onKeyDown={edit.onKey}
          onBlur={edit.leave}
          className="h-11 w-full min-w-16 rounded-md border border-border-control bg-surface px-2 text-right tabular-nums aria-invalid:border-danger-text md:h-8"
        />
      </Popover.Anchor>
      <Popover.Portal>
        <Popover.Content
          role="group"
          aria-label={`Problem with ${cellName(row, part)}`}
          align="end"
          sideOffset={4}
          collisionPadding={8}
          onOpenAutoFocus={(event) => event.preventDefault()}
          onCloseAutoFocus={(event) => event.preventDefault()}
          onMouseDown={(event) => event.preventDefault()}
          className="z-40 w-64 rounded-lg border border-danger-text bg-raised p-2.5 text-sm text-danger-text shadow-floating"
        >
          <p id={id} role="alert">
            {draft.problem}
          </p>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function useCostEdit(
  { row, part, draft, cells }: EditableCostProps & { draft: CostDraft },
  input: React.RefObject<HTMLInputElement | null>,
) {
  const { drafts, series, find } = cells;
  const key = keyOf(row.listingId, part);
  const { amount, problem } = readCost(part, draft.text);
  const isUntouched = problem === null && amount === row.stored[part] && draft.problem === null;
  /** @returns false if the focus stays */
  const commit = (): boolean => {
    if (problem !== null) {
      drafts.mark(key, problem);
      return false;
    }
    drafts.close(key);
    if (amount === row.stored[part]) return true;
    const seen = draft.seen ?? { version: row.version, skuVersion: row.skuVersion };
    const onRefused = (why: string): void => drafts.refuse(key, draft.text, why);
    series.save({ row, part, amount, seen, onRefused });
    return true;
  };
  const goOn = (next: HTMLElement | null): void => {
    const target = next === null ? undefined : find(next.dataset.listing ?? '');
    if (next === null || target === undefined) {
      series.end();
      requestAnimationFrame(() => focusCell(row.listingId, part));
    } else drafts.open(target, next.dataset.costCell as CostPartName);
  };
  const onKey = (event: React.KeyboardEvent): void => {
    // Read first: the field is removed with its draft.
    const next = nextCell(input.current, event);
    if (event.key === 'Escape') {
      drafts.close(key);
      goOn(null);
    } else if (event.key === 'Enter') {
      if (commit()) goOn(next);
    } else if (event.key === 'Tab' && next !== null) {
      // Also from an invalid value: it stays in its cell with its error, and the focus is free to move.
      commit();
      goOn(next);
    } else if (event.key === 'Tab') {
      // After the browser has moved the focus, which it could not do from a removed field.
      setTimeout(() => {
        commit();
        series.end();
      });
      return;
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return {
    onKey,
    type: (text: string) => drafts.type(key, text),
    // On a press elsewhere the typed text stays in its cell, and is not saved without a key.
    leave: () => {
      if (!isUntouched) return;
      drafts.close(key);
      series.end();
    },
  };
}

const CELL = '[data-cost-cell]';

/** The next cell: Enter to the same part below, Tab to the next part along, Shift+Tab back; null at the end. */
function nextCell(input: HTMLElement | null, { key, shiftKey }: React.KeyboardEvent): HTMLElement | null {
  if (input === null) return null;
  const row = input.closest<HTMLElement>('[data-row-id]');
  if (key === 'Enter') {
    for (let below = row?.nextElementSibling; below != null; below = below.nextElementSibling) {
      const cell = below.querySelector<HTMLElement>(`[data-cost-cell="${input.dataset.costCell}"]`);
      if (cell !== null) return cell;
    }
    return null;
  }
  const all = [...(row?.parentElement?.querySelectorAll<HTMLElement>(CELL) ?? [])];
  return all[all.indexOf(input) + (shiftKey ? -1 : 1)] ?? null;
}

/** The button of a cell after its field was closed. */
function focusCell(listingId: string, part: CostPartName): void {
  document.querySelector<HTMLElement>(`[data-listing="${listingId}"][data-cost-cell="${part}"]`)?.focus();
}
