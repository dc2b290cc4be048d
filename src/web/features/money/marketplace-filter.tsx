import { MARKETPLACE_NAMES, MARKETPLACES } from '#domain/marketplaces.ts';
import { SelectField } from '#web/ui/select-field.tsx';
import { type ChangeMoney, MONEY_LIST, type MoneyState, withFilter } from './queries.ts';

const OPTIONS = [
  { value: '', label: 'All Marketplaces' },
  ...MARKETPLACES.map((value) => ({ value, label: MARKETPLACE_NAMES[value] })),
];

export type MoneyListProps = { state: MoneyState; change: ChangeMoney };

/** Of which marketplace. A settlement is of one marketplace: choosing another one leaves it. */
export function MarketplaceFilter({ state, change }: MoneyListProps): React.JSX.Element {
  return (
    <SelectField
      compact
      hideLabel
      label="Marketplace"
      options={OPTIONS}
      value={state.filters.marketplace ?? ''}
      onChange={(marketplace) => change({ filters: withFilter(state, { marketplace, settlement: '' }) })}
    />
  );
}

/** Numbered pages. */
export function pagingOf({ state, change }: MoneyListProps) {
  return {
    page: state.page,
    size: state.size,
    sizes: MONEY_LIST.sizes,
    onPage: (page: number) => change({ page }),
    onSize: (size: number) => change({ size }),
  };
}
