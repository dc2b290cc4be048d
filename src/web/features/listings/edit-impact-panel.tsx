import { useQuery } from '@tanstack/react-query';
import { type CostFieldsForm, EditImpact } from '#contract/edit-impact.ts';
import type { ListingSelection } from '#contract/listings.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { call, errorText } from '#web/lib/api.ts';
import { countOf, formatMoney } from '#web/lib/format.ts';
import { useDebounced } from '#web/lib/use-debounced.ts';
import { Callout } from '#web/ui/callout.tsx';
import { salesText } from '#web/ui/costs/cost-since.tsx';
import { FallingListings, fallingText } from '#web/ui/costs/falling-listings.tsx';

/** Milliseconds after the last keystroke before the impact is calculated. */
const PAUSE = 400;
/** Milliseconds that saving waits for the impact: that of many thousand listings takes longer. */
const MAX_WAIT = 4_000;
const NAMED = 5;

/** What edited costs of listings change, calculated once typing pauses. */
interface ShownImpact {
  readonly shown: EditImpact | undefined;
  readonly error: Error | null;
  /** Not calculated yet: saving waits for it. */
  readonly isPending: boolean;
  /** It takes so long that saving waits no more. */
  readonly isLate: boolean;
}

/** @param fields null without a field that changes costs, and while one cannot be read */
export function useEditImpact(selection: ListingSelection, fields: CostFieldsForm | null): ShownImpact {
  const key = JSON.stringify(fields);
  const isSettled = useDebounced(key, PAUSE) === key;
  const query = useQuery({
    queryKey: ['edit-impact', selection, key] as const,
    queryFn: ({ signal }) =>
      call(EditImpact, 'POST', '/api/listings/edit-impact', { selection, fields }, signal),
    enabled: fields !== null && isSettled,
    gcTime: 0,
  });
  const isShown = fields !== null && isSettled;
  const isPending = fields !== null && (!isSettled || query.isPending);
  const hasWaited = useDebounced(isPending, MAX_WAIT);
  return {
    shown: isShown ? query.data : undefined,
    error: isShown ? query.error : null,
    isPending,
    isLate: isPending && hasWaited,
  };
}

/** The impact of edited costs on margin floors, prices and sales so far, before they are saved. */
export function EditImpactPanel({ impact }: { impact: ShownImpact }): React.JSX.Element | null {
  const { shown, error, isPending, isLate } = impact;
  if (error !== null) {
    return (
      <Callout tone="danger" role="alert" title="Could not calculate the impact">
        <p className="text-fg-muted">{errorText(error)}</p>
      </Callout>
    );
  }
  if (shown === undefined) {
    if (!isPending) return null;
    return (
      <Callout tone="info" role="status" title="Calculating the impact">
        {isLate && <p className="text-fg-muted">This takes a while. You can save without waiting for it.</p>}
      </Callout>
    );
  }
  return (
    <Callout
      tone={shown.fallingCount > 0 || shown.floors.lost > 0 ? 'danger' : 'info'}
      role="status"
      title={`Impact on ${countOf(shown.listings, 'listing', 'listings')}`}
    >
      <ul className="text-fg-muted">
        {floorTexts(shown.floors).map((text) => (
          <li key={text}>{text}</li>
        ))}
        <li>{fallingText(shown)}</li>
        <li>{salesText(shown.sales)}</li>
      </ul>
      <FloorMoves floors={shown.floors} />
      <FallingListings falling={shown.falling} fallingCount={shown.fallingCount} />
    </Callout>
  );
}

/** "The margin floor rises for 8 listings." */
function floorTexts({ raised, lowered, gained, lost }: EditImpact['floors']): string[] {
  const listings = (count: number) => countOf(count, 'listing', 'listings');
  const texts = [
    ...(raised > 0 ? [`The margin floor rises for ${listings(raised)}.`] : []),
    ...(lowered > 0 ? [`The margin floor falls for ${listings(lowered)}.`] : []),
    ...(gained > 0 ? [`${countOf(gained, 'listing gets', 'listings get')} a margin floor.`] : []),
    ...(lost > 0
      ? [
          `${countOf(lost, 'listing loses its', 'listings lose their')} margin floor and ${lost === 1 ? 'is' : 'are'} no longer repriced: a cost or fee becomes unknown, or no price keeps the minimum margin.`,
        ]
      : []),
  ];
  return texts.length === 0 ? ['No margin floor changes.'] : texts;
}

/** The largest changes of margin floors. */
function FloorMoves({ floors: { largest } }: Pick<EditImpact, 'floors'>): React.JSX.Element | null {
  if (largest.length === 0) return null;
  const text = (amount: string | null): string => (amount === null ? 'none' : formatMoney(amount));
  return (
    <ul className="mt-2 flex flex-col gap-1 text-sm" aria-label="Largest changes of margin floors">
      {largest.slice(0, NAMED).map(({ listingId, marketplace, sku, from, to }) => (
        <li key={listingId}>
          <span className="font-mono">{sku}</span> on {MARKETPLACE_NAMES[marketplace]}: margin floor{' '}
          {text(from)} to {text(to)}
        </li>
      ))}
    </ul>
  );
}
