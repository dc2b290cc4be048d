import { useQuery } from '@tanstack/react-query';
import { Popover } from 'radix-ui';
import { useEffect, useId, useRef, useState } from 'react';
import type { ListingRow } from '#contract/listings.ts';
import { PriceCheck } from '#contract/price-actions.ts';
import { call } from '#web/lib/api.ts';
import { useDebounced } from '#web/lib/use-debounced.ts';
import { Button } from '#web/ui/button.tsx';
import { PriceCheckNote } from './price-check-note.tsx';
import { type PriceDraft, usePriceDrafts } from './price-drafts.ts';
import { bigMoveText, readTypedPrice } from './typed-price.ts';
import { useListingCache } from './use-listing-cache.ts';

type PriceEditorProps = {
  row: ListingRow;
  draft: PriceDraft;
  /** A valid price that differs from the current one and violates no known limit. */
  onSave: (price: string) => void;
};

/** Enter saves and moves to the row below, Tab saves and moves right, Escape cancels. Shows the margin while typing. */
export function PriceEditor({ row, draft, onSave }: PriceEditorProps): React.JSX.Element {
  const edit = usePriceEdit({ row, draft, onSave });
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (draft.takesFocus) input.current?.select();
    if (draft.takesFocus) input.current?.focus();
  }, [draft.takesFocus]);
  // The field is about to be removed: its row takes the focus first, so that keyboard navigation continues there.
  const giveUp = (): void => {
    focusRow(input.current);
    edit.cancel();
  };
  return (
    <Popover.Root open onOpenChange={(isOpen) => !isOpen && giveUp()}>
      <Popover.Anchor asChild>
        <input
          ref={input}
          aria-label={`New price of ${row.sku}`}
          aria-describedby={id}
          aria-invalid={edit.problem !== null}
          inputMode="decimal"
          autoComplete="off"
          value={draft.text}
          onChange={(event) => edit.type(event.target.value)}
          onKeyDown={(event) => edit.onKey(event, input.current)}
          // A rejected draft is not discarded by a loss of focus.
          onBlur={() => edit.isUntouched && draft.problem === null && edit.cancel()}
          className="h-11 w-full rounded-md border border-border-control bg-surface px-2 text-right font-semibold tabular-nums aria-invalid:border-danger-text md:h-8"
        />
      </Popover.Anchor>
      <Popover.Portal>
        <Popover.Content
          role="group"
          aria-label={`Check of the new price of ${row.sku}`}
          align="end"
          sideOffset={4}
          collisionPadding={8}
          onOpenAutoFocus={(event) => event.preventDefault()}
          onCloseAutoFocus={(event) => event.preventDefault()}
          // The library handles the key before the field does, wherever the focus is.
          onEscapeKeyDown={(event) => {
            event.preventDefault();
            event.stopPropagation();
            giveUp();
          }}
          onInteractOutside={(event) => event.preventDefault()}
          onFocusOutside={(event) => event.preventDefault()}
          onMouseDown={(event) => event.preventDefault()}
          className="z-50 w-72 rounded-lg border bg-raised p-3 text-fg shadow-floating"
        >
          <div id={id} aria-live="polite">
            <PriceCheckNote
              margin={row.margin}
              isUntouched={edit.isUntouched}
              check={edit.check}
              problem={edit.problem}
              question={edit.question}
              sharesPriceWith={row.sharesPriceWith}
            />
          </div>
          <div className="mt-2 flex justify-end gap-2">
            <Button look="outline" onClick={giveUp}>
              Cancel
            </Button>
            <Button
              onClick={() => {
                const row = rowOf(input.current);
                if (edit.save()) row?.focus();
              }}
            >
              Change price
            </Button>
          </div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

interface PriceEdit {
  readonly check: PriceCheck | undefined;
  readonly problem: string | null;
  /** Asks once before a large change. */
  readonly question: string | null;
  readonly isUntouched: boolean;
  readonly type: (text: string) => void;
  readonly save: () => boolean;
  readonly cancel: () => void;
  readonly onKey: (event: React.KeyboardEvent, input: HTMLElement | null) => void;
}

function usePriceEdit({ row, draft, onSave }: PriceEditorProps): PriceEdit {
  const drafts = usePriceDrafts();
  const cache = useListingCache();
  const [stated, setStated] = useState<{ problem?: string; question?: string }>({});
  const typed = readTypedPrice(draft.text);
  const isUntouched = typed.price === row.currentPrice;
  const check = useCheck(row, typed.price);
  const limit = check?.isAllowed === false ? check.message : null;
  const save = (): boolean => {
    if (typed.price === null) setStated({ problem: typed.problem });
    if (typed.price === null || limit !== null) return false;
    const question = isUntouched ? null : bigMoveText(row.currentPrice, typed.price);
    if (question !== null && stated.question !== question) {
      setStated({ question });
      return false;
    }
    drafts.close(row.id);
    if (!isUntouched) onSave(typed.price);
    return true;
  };
  return {
    check,
    problem: stated.problem ?? draft.problem ?? limit,
    question: stated.question ?? null,
    isUntouched,
    type: (text) => {
      setStated({});
      drafts.type(row.id, text);
    },
    save,
    cancel: () => drafts.close(row.id),
    onKey: (event, input) => {
      if (event.key === 'Enter') {
        const below = rowBelow(input);
        const next = below === null ? undefined : cache.find(below);
        if (!save()) return keep(event);
        if (next === undefined) focusRow(input);
        else drafts.open(next.id, next.currentPrice);
      } else if (event.key === 'Tab' && !isUntouched) {
        // After the browser has moved the focus, which it could not do from a removed field.
        setTimeout(save);
        return;
      } else return;
      keep(event);
    },
  };
}

/** A key handled here must not reach the list around it. */
function keep(event: React.KeyboardEvent): void {
  event.preventDefault();
  event.stopPropagation();
}

/** The server's check of a typed price, once typing pauses. */
function useCheck(row: ListingRow, price: string | null): PriceCheck | undefined {
  const settled = useDebounced(price, 250);
  const isWanted = settled !== null && settled === price && price !== row.currentPrice;
  const check = useQuery({
    queryKey: ['price-check', row.id, settled, row.version],
    queryFn: () => call(PriceCheck, 'GET', `/api/listings/${row.id}/price-check?price=${settled ?? ''}`),
    enabled: isWanted,
    // Costs and limits change: the result is valid only while it is shown.
    gcTime: 0,
  });
  return isWanted ? check.data : undefined;
}

function rowBelow(input: HTMLElement | null): string | null {
  const next = rowOf(input)?.nextElementSibling;
  return next instanceof HTMLElement ? (next.dataset.rowId ?? null) : null;
}

function rowOf(input: HTMLElement | null): HTMLElement | null {
  return input?.closest<HTMLElement>('[data-row-id]') ?? null;
}

function focusRow(input: HTMLElement | null): void {
  rowOf(input)?.focus();
}
