import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CategorySuggestions } from '#contract/fee-categories.ts';
import type { FeeScheduleView } from '#contract/fees.ts';
import { categoryKey } from '#domain/fees/fee-tables.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { errorText } from '#web/lib/api.ts';
import { countOf, formatMoney } from '#web/lib/format.ts';
import { toast } from '#web/lib/use-toast.ts';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Cell, HeadCell, PlainTable } from '#web/ui/plain-table.tsx';
import { categorySuggestionsQuery, useAcceptCategory } from './fee-queries.ts';
import { bandLines, percentLine, scheduleOf } from './fee-text.ts';

type Suggestion = CategorySuggestions['suggestions'][number];
type CategoryCalloutProps = { schedules: readonly FeeScheduleView[] };

/** Categories with lower fees that wait to be accepted, each with its listings. */
export function CategoryCallout({ schedules }: CategoryCalloutProps): React.ReactNode {
  const { data } = useQuery(categorySuggestionsQuery);
  const [open, setOpen] = useState<Suggestion | null>(null);
  const suggestions = data?.suggestions ?? [];
  if (suggestions.length === 0 && open === null) return null;
  const listings = suggestions.reduce((sum, each) => sum + each.listings, 0);
  return (
    <>
      {suggestions.length > 0 && (
        <Callout tone="info" title={`Use lower fees for ${countOf(listings, 'listing', 'listings')}?`}>
          <p className="max-w-[80ch] text-fg-muted">
            Their product type or category on the marketplace probably has these fees. Until you accept them,
            prices use the higher fee.
          </p>
          <ul className="mt-2 flex flex-col gap-1">
            {suggestions.map((suggestion) => (
              <li key={placeOf(suggestion)} className="flex flex-wrap items-center gap-x-3">
                <span>
                  {placeOf(suggestion)}: {shortRates(suggestion, schedules)},{' '}
                  {countOf(suggestion.listings, 'listing', 'listings')}
                </span>
                <Button
                  look="quiet"
                  className="px-2 text-link"
                  aria-label={`Review ${placeOf(suggestion)}`}
                  onClick={() => setOpen(suggestion)}
                >
                  Review
                </Button>
              </li>
            ))}
          </ul>
        </Callout>
      )}
      {open !== null && (
        <AcceptDialog
          // The current one: a rejected answer updates its number.
          suggestion={suggestions.find((each) => placeOf(each) === placeOf(open)) ?? open}
          rates={fullRates(open, schedules)}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  );
}

function placeOf({ marketplace, category }: Suggestion): string {
  return `${MARKETPLACE_NAMES[marketplace]}, ${category}`;
}

function shortRates(suggestion: Suggestion, schedules: readonly FeeScheduleView[]): string {
  const schedule = scheduleFor(suggestion, schedules);
  return schedule === undefined ? '' : percentLine(scheduleOf(schedule));
}

function fullRates(suggestion: Suggestion, schedules: readonly FeeScheduleView[]): string {
  const schedule = scheduleFor(suggestion, schedules);
  return schedule === undefined ? '' : bandLines(scheduleOf(schedule)).join('; ');
}

function scheduleFor({ marketplace, category }: Suggestion, schedules: readonly FeeScheduleView[]) {
  const key = categoryKey(category);
  return schedules.find(
    (each) =>
      each.marketplace === marketplace && each.state === 'in_force' && categoryKey(each.category) === key,
  );
}

type AcceptDialogProps = { suggestion: Suggestion; rates: string; onClose: () => void };

function AcceptDialog({ suggestion, rates, onClose }: AcceptDialogProps): React.JSX.Element {
  const { marketplace, category, listings, shown } = suggestion;
  const accept = useAcceptCategory();
  const many = countOf(listings, 'listing', 'listings');
  const confirm = (): void =>
    accept.mutate(
      { marketplace, category, listings },
      {
        onSuccess: () => {
          toast('Category accepted', `Repricing ${many}.`);
          onClose();
        },
      },
    );
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Use the fees of ${category} for ${many}?`}
      description={`${MARKETPLACE_NAMES[marketplace]} charges ${rates}. Lower fees allow lower prices, so compare with a statement first.`}
      onSubmit={confirm}
      alert={
        accept.error !== null && (
          <Callout tone="danger" role="alert" title="Could not accept the category">
            {errorText(accept.error)}
          </Callout>
        )
      }
      footer={
        <>
          <Button look="outline" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" pending={accept.isPending} pendingText="Saving...">
            Use for {many}
          </Button>
        </>
      }
    >
      <PlainTable caption={`Listings of ${category}`}>
        <thead>
          <tr>
            <HeadCell>SKU</HeadCell>
            <HeadCell>Title</HeadCell>
            <HeadCell numeric>Price</HeadCell>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ listingId, sku, title, currentPrice }) => (
            <tr key={listingId}>
              <Cell className="whitespace-nowrap">{sku}</Cell>
              <Cell>{title}</Cell>
              <Cell numeric>{formatMoney(currentPrice)}</Cell>
            </tr>
          ))}
        </tbody>
      </PlainTable>
      {listings > shown.length && (
        <p className="mt-2 text-sm text-fg-muted">The first {shown.length} by SKU are shown.</p>
      )}
      <p className="mt-3 text-sm text-fg-muted">
        If a listing belongs in another category, enter that category on the listing. It is used instead.
      </p>
    </Dialog>
  );
}
