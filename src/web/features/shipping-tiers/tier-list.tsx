import type { Tier } from '#contract/tiers.ts';
import { MARKETPLACE_NAMES, MARKETPLACES } from '#domain/marketplaces.ts';
import { EmptyNote } from '#web/ui/empty-note.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { DataTable } from '#web/ui/table/data-table.tsx';
import { useSelection } from '#web/ui/table/use-selection.ts';
import { TierActions } from './tier-actions.tsx';
import { TIER_COLUMNS, TierCard } from './tier-columns.tsx';
import { tierText } from './tier-texts.ts';

const EVERY = '';
const FILTERS = [
  { value: EVERY, label: 'All Marketplaces' },
  ...MARKETPLACES.map((value) => ({ value, label: MARKETPLACE_NAMES[value] })),
];
const NOUN = { one: 'tier', many: 'tiers' };

type TierListProps = {
  tiers: readonly Tier[];
  /** From the address: anything else than a marketplace shows all. */
  marketplace: string;
  onMarketplace: (marketplace: string) => void;
};

/** The tiers of one marketplace or all, with actions for the selected ones. */
export function TierList({ tiers, marketplace, onMarketplace }: TierListProps): React.JSX.Element {
  const filter = FILTERS.some(({ value }) => value === marketplace) ? marketplace : EVERY;
  const rows = tiers.filter((tier) => filter === EVERY || tier.marketplace === filter);
  const selection = useSelection(filter);
  return (
    <DataTable
      name="shipping-tiers"
      caption="Shipping tiers"
      noun={NOUN}
      columns={TIER_COLUMNS}
      rowId={({ id }) => id}
      rowName={tierText}
      query={{
        data: { rows, total: rows.length },
        error: null,
        isFetching: false,
        isPlaceholderData: false,
        refetch: () => undefined,
      }}
      selection={selection}
      bulkActions={
        <TierActions tiers={tiers.filter(({ id }) => selection.has(id))} onDeleted={selection.clear} />
      }
      toolbar={
        <SelectField
          label="Marketplace"
          hideLabel
          compact
          fieldClassName="w-full sm:w-auto"
          options={FILTERS}
          value={filter}
          onChange={onMarketplace}
        />
      }
      card={(tier) => <TierCard tier={tier} />}
      isFiltered={filter !== EVERY}
      empty={null}
      noResults={<EmptyNote>No tiers for this marketplace. Choose another one, or add a tier.</EmptyNote>}
    />
  );
}
