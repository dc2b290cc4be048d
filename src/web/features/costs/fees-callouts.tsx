import { CircleCheck } from 'lucide-react';
import type { Fees } from '#contract/fees.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { errorText } from '#web/lib/api.ts';
import { countOf } from '#web/lib/format.ts';
import { toast } from '#web/lib/use-toast.ts';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { MomentText } from '#web/ui/moment-text.tsx';
import { useConfirmFees } from './fee-queries.ts';

/** Asks to confirm the shipped fees once, and shows who did. */
export function ConfirmFees({ checked }: { checked: Fees['checked'] }): React.JSX.Element {
  const confirm = useConfirmFees();
  if (checked !== null) {
    return (
      <p className="flex items-center gap-2 text-fg-muted">
        <CircleCheck aria-hidden className="size-4 shrink-0 text-success-text" />
        <span>
          {checked.by ?? 'An administrator'} confirmed these fees, <MomentText iso={checked.at} />.
        </span>
      </p>
    );
  }
  const say = (): void =>
    confirm.mutate(undefined, {
      onSuccess: () => toast('Fees confirmed', 'Margins are calculated with these fees.'),
      onError: (error) => toast('Error', errorText(error), 'destructive'),
    });
  return (
    <Callout
      tone="info"
      title="Do these fees match your account?"
      action={
        <Button onClick={say} pending={confirm.isPending} pendingText="Saving...">
          Confirm fees
        </Button>
      }
    >
      <p className="text-fg-muted">
        Pricewright starts with standard US fees. Margins depend on them, so compare them with your
        marketplace statements and add categories with different rates.
      </p>
    </Callout>
  );
}

type UncoveredCalloutProps = {
  uncovered: Fees['uncovered'];
  onAdd: (place: { marketplace: Marketplace; category: string | null }) => void;
};

/** Listings without a schedule, with a button to add one. */
export function UncoveredCallout({ uncovered, onAdd }: UncoveredCalloutProps): React.ReactNode {
  if (uncovered.length === 0) return null;
  const count = uncovered.reduce((sum, { listings }) => sum + listings, 0);
  return (
    <Callout
      tone="danger"
      title={`${countOf(count, 'listing has', 'listings have')} no fees and cannot be repriced`}
    >
      <ul className="mt-1 flex flex-col gap-1">
        {uncovered.map(({ marketplace, category, listings }) => {
          const place = `${MARKETPLACE_NAMES[marketplace]}, ${category === null ? 'no category' : `category ${category}`}`;
          return (
            <li key={place} className="flex flex-wrap items-center gap-x-3">
              <span>
                {place}: {countOf(listings, 'listing', 'listings')}
              </span>
              <Button
                look="quiet"
                size="small"
                className="px-2 text-link"
                aria-label={`Add fees for ${place}`}
                onClick={() => onAdd({ marketplace, category })}
              >
                Add fees
              </Button>
            </li>
          );
        })}
      </ul>
    </Callout>
  );
}
