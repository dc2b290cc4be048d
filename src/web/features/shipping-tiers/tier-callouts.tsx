import { Plus } from 'lucide-react';
import type { Tier, Tiers } from '#contract/tiers.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { countOf, formatOunces } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import type { TierFields } from './tier-form.ts';
import { tierText } from './tier-texts.ts';

type TierCalloutsProps = {
  gaps: Tiers['gaps'];
  untiered: Tiers['untiered'];
  /** The weight at which existing tiers end: the next one starts there. */
  tiers: readonly Tier[];
  onAdd: (prefill: Partial<TierFields>) => void;
};

/** What is missing: listings that cannot be priced first, then gaps without listings. */
export function TierCallouts({ gaps, untiered, tiers, onAdd }: TierCalloutsProps): React.ReactNode {
  return (
    <>
      {untiered.length > 0 && <UntieredCallout untiered={untiered} tiers={tiers} onAdd={onAdd} />}
      {gaps.length > 0 && <GapsCallout gaps={gaps} onAdd={onAdd} />}
    </>
  );
}

function UntieredCallout({ untiered, tiers, onAdd }: Omit<TierCalloutsProps, 'gaps'>): React.JSX.Element {
  const count = untiered.reduce((sum, { listings }) => sum + listings, 0);
  return (
    <Callout
      tone="danger"
      title={`${countOf(count, 'listing has', 'listings have')} no tier for ${count === 1 ? 'its' : 'their'} weight`}
    >
      <p className="text-fg-muted">
        {count === 1
          ? 'It cannot be repriced until a tier covers its weight.'
          : 'They cannot be repriced until a tier covers their weight.'}
      </p>
      <ul className="mt-1 flex flex-col">
        {untiered.map(({ marketplace, fulfillmentType, listings, lightestOz, heaviestOz }) => (
          <Missing
            key={`${marketplace} ${fulfillmentType}`}
            text={`${MARKETPLACE_NAMES[marketplace]} ${fulfillmentType}: ${countOf(listings, 'listing', 'listings')}, ${
              lightestOz === heaviestOz
                ? `${formatOunces(lightestOz)} oz`
                : `${formatOunces(lightestOz)} to ${formatOunces(heaviestOz)} oz`
            }`}
            action={`Add tier for ${MARKETPLACE_NAMES[marketplace]} ${fulfillmentType}`}
            onAdd={() =>
              onAdd({
                marketplace,
                fulfillmentType,
                minWeightOz: endBelow(tiers, marketplace, fulfillmentType, lightestOz),
              })
            }
          />
        ))}
      </ul>
    </Callout>
  );
}

function GapsCallout({ gaps, onAdd }: Pick<TierCalloutsProps, 'gaps' | 'onAdd'>): React.JSX.Element {
  return (
    <Callout tone="info" title={gaps.length === 1 ? 'There is a gap' : `There are ${gaps.length} gaps`}>
      <p className="text-fg-muted">Packages in these ranges have no shipping cost.</p>
      <ul className="mt-1 flex flex-col">
        {gaps.map((gap) => (
          <Missing
            key={tierText(gap)}
            text={tierText(gap)}
            action={`Fill the gap ${tierText(gap)}`}
            onAdd={() =>
              onAdd({
                marketplace: gap.marketplace,
                fulfillmentType: gap.fulfillmentType,
                minWeightOz: String(gap.minWeightOz),
                maxWeightOz: String(gap.maxWeightOz),
              })
            }
          />
        ))}
      </ul>
    </Callout>
  );
}

type MissingProps = { text: string; action: string; onAdd: () => void };

function Missing({ text, action, onAdd }: MissingProps): React.JSX.Element {
  return (
    <li className="flex flex-wrap items-center gap-x-3">
      <span className="tabular-nums">{text}</span>
      <Button look="quiet" size="small" className="px-2 text-link" aria-label={action} onClick={onAdd}>
        <Plus aria-hidden />
        Add tier
      </Button>
    </li>
  );
}

/** The weight at which a tier must start to leave no gap below it. */
function endBelow(
  tiers: readonly Tier[],
  marketplace: Tier['marketplace'],
  fulfillmentType: Tier['fulfillmentType'],
  weight: number,
): string {
  const ends = tiers
    .filter((tier) => tier.marketplace === marketplace && tier.fulfillmentType === fulfillmentType)
    .map(({ maxWeightOz }) => maxWeightOz)
    .filter((end) => end <= weight);
  return String(Math.max(0, ...ends));
}
