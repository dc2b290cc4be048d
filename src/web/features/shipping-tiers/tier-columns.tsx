import { useNavigate, useSearch } from '@tanstack/react-router';
import { Pencil } from 'lucide-react';
import type { Tier } from '#contract/tiers.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { formatMoney, formatOunces } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { MarketplaceMark } from '#web/ui/marketplace-mark.tsx';
import type { TableColumn } from '#web/ui/table/column.ts';
import { rangeText, tierText } from './tier-texts.ts';

/** The columns of the list of tiers. */
export const TIER_COLUMNS: readonly TableColumn<Tier>[] = [
  {
    id: 'marketplace',
    label: 'Marketplace',
    width: 180,
    grows: true,
    isRowHeader: true,
    cell: (tier) => <Place tier={tier} />,
  },
  { id: 'fulfillment', label: 'Fulfillment Type', width: 160, cell: (tier) => tier.fulfillmentType },
  {
    id: 'min',
    label: 'Min Weight (oz)',
    width: 160,
    align: 'right',
    cell: (tier) => formatOunces(tier.minWeightOz),
  },
  {
    id: 'max',
    label: 'Max Weight (oz)',
    width: 160,
    align: 'right',
    cell: (tier) => formatOunces(tier.maxWeightOz),
  },
  {
    id: 'cost',
    label: 'Shipping Cost',
    width: 160,
    align: 'right',
    cell: (tier) => formatMoney(tier.cost),
  },
  {
    id: 'edit',
    label: 'Edit',
    width: 72,
    align: 'center',
    pinned: 'right',
    cell: (tier) => <EditButton tier={tier} />,
  },
];

function Place({ tier: { marketplace } }: { tier: Tier }): React.JSX.Element {
  return (
    <span className="flex items-center gap-2">
      <MarketplaceMark marketplace={marketplace} />
      {MARKETPLACE_NAMES[marketplace]}
    </span>
  );
}

function EditButton({ tier }: { tier: Tier }): React.JSX.Element {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  return (
    <Button
      look="quiet"
      size="icon"
      aria-label={`Edit ${tierText(tier)}`}
      onClick={() =>
        void navigate({ to: '.', search: { ...search, tier: tier.id }, replace: true, resetScroll: false })
      }
    >
      <Pencil aria-hidden />
    </Button>
  );
}

/** A tier on a narrow screen. */
export function TierCard({ tier }: { tier: Tier }): React.JSX.Element {
  return (
    <div className="flex items-start justify-between gap-3">
      <div>
        <p className="font-medium">
          <Place tier={tier} />
        </p>
        <p className="mt-1 text-fg-muted tabular-nums">
          {tier.fulfillmentType}, {rangeText(tier)}
        </p>
      </div>
      <div className="flex items-center gap-2">
        <span className="font-semibold tabular-nums">{formatMoney(tier.cost)}</span>
        <EditButton tier={tier} />
      </div>
    </div>
  );
}
