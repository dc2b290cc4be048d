import { useQuery } from '@tanstack/react-query';
import type { ProfitGroup } from '#contract/sales.ts';
import { classNames } from '#web/lib/class-names.ts';
import { formatMoney } from '#web/lib/format.ts';
import type { ChangeList } from '#web/lib/list-state.ts';
import type { Period } from '#web/lib/periods.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyNote } from '#web/ui/empty-note.tsx';
import { SaleDialog } from '#web/ui/profit/sale-dialog.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { DataTable } from '#web/ui/table/data-table.tsx';
import { Tab, TabBar, TabGroup, TabPanel } from '#web/ui/tabs.tsx';
import { ProfitCard } from './profit-card.tsx';
import { GROUP_TEXTS, PROFIT_COLUMNS, rowName } from './profit-columns.tsx';
import { groupQuery, PROFIT_LIST, PROFIT_TABS, type ProfitState, salesQuery, tabOf } from './queries.ts';
import { SaleCard } from './sale-card.tsx';
import { SALE_COLUMNS } from './sale-columns.tsx';

type TabsProps = {
  state: ProfitState;
  change: ChangeList<keyof typeof PROFIT_LIST.filters, (typeof PROFIT_LIST.sorts)[number]>;
  period: Period;
};

/** The sums by day, marketplace, listing, SKU, rule or run, or the sales. */
export function ProfitTabs({ state, change, period }: TabsProps): React.JSX.Element {
  const tab = tabOf(state);
  const choose = (next: string): void => {
    const others = withoutSales(state.filters);
    change({ filters: next === 'day' ? others : { ...others, by: next }, sort: null });
  };
  return (
    <TabGroup value={tab} onValueChange={choose} className="flex flex-col gap-4">
      <TabBar aria-label="Profit by">
        {PROFIT_TABS.map((name) => (
          <Tab key={name} value={name}>
            {name === 'sale' ? 'Sales' : GROUP_TEXTS[name].tab}
          </Tab>
        ))}
      </TabBar>
      <TabPanel value={tab} tabIndex={-1} className="outline-none">
        {tab === 'sale' ? (
          <Sales state={state} change={change} period={period} />
        ) : (
          <Sums key={tab} group={tab} state={state} change={change} period={period} />
        )}
      </TabPanel>
    </TabGroup>
  );
}

/** The filters that are not of the sales alone. */
function withoutSales({ marketplace, period, from, to }: ProfitState['filters']): ProfitState['filters'] {
  return {
    ...(marketplace && { marketplace }),
    ...(period && { period }),
    ...(from && { from }),
    ...(to && { to }),
  };
}

function Sums({ group, state, change, period }: TabsProps & { group: ProfitGroup }): React.JSX.Element {
  const query = useQuery(groupQuery(group, state, period));
  const { noun, caption } = GROUP_TEXTS[group];
  const unlisted = group === 'listing' || group === 'sku' ? query.data?.unlisted : null;
  return (
    <>
      <DataTable
        name={`profit-${group}`}
        caption={caption}
        noun={noun}
        columns={PROFIT_COLUMNS[group]}
        rowId={({ key }) => key}
        rowName={rowName(group)}
        query={query}
        sort={state.sort ?? (group === 'day' ? NEWEST : MOST)}
        onSort={(sort) => change({ sort: sort as NonNullable<ProfitState['sort']> })}
        paging={pagingOf(state, change)}
        card={(row) => <ProfitCard row={row} group={group} />}
        isFiltered
        empty={null}
        noResults={<EmptyNote>No sales in these days.</EmptyNote>}
      />
      {unlisted != null && <UnlistedLine profit={unlisted.profit} />}
    </>
  );
}

/** What was booked for no listing: the rows add up to the whole with it. */
function UnlistedLine({ profit }: { profit: string }): React.JSX.Element {
  return (
    <p className="mt-3 flex flex-wrap items-baseline gap-x-2 rounded-lg border bg-surface px-4 py-3">
      <span className="font-medium">Not tied to a listing:</span>
      <span
        className={classNames('font-semibold tabular-nums', profit.startsWith('-') && 'text-danger-text')}
      >
        {formatMoney(profit)}
      </span>
      <span className="text-sm text-fg-muted">
        Advertising, plans, storage and similar; included in the profit above.
      </span>
    </p>
  );
}

const NEWEST = { by: 'key', descending: true } as const;
const MOST = { by: 'profit', descending: true } as const;

const SALES_NOUN = { one: 'sale', many: 'sales' };
const KNOWN_OPTIONS = [
  { value: '', label: 'All sales' },
  { value: 'true', label: 'Profit known' },
  { value: 'false', label: 'Profit unknown' },
  { value: 'below', label: 'Below minimum margin' },
];
const STATE_OPTIONS = [
  { value: '', label: 'Any fees' },
  { value: 'told', label: 'Fees charged' },
  { value: 'partly_told', label: 'Fees partly charged' },
  { value: 'estimated', label: 'Fees estimated' },
  { value: 'late', label: 'Still estimated after 45 days' },
];

function Sales({ state, change, period }: TabsProps): React.JSX.Element {
  const query = useQuery(salesQuery(state, period));
  const { known, below, state: money, sale: opened, listing, rule, run } = state.filters;
  const setState = (value: string): void => {
    const { state: _, from, to, ...rest } = state.filters;
    const days = { ...(from && { from }), ...(to && { to }) };
    if (value === '') change({ filters: { ...rest, ...days } });
    // They are older than the usual period.
    else if (value === 'late') change({ filters: { ...rest, state: value, period: '90' } });
    else change({ filters: { ...rest, ...days, state: value } });
  };
  const setProfit = (value: string): void => {
    const { known: _, below: __, ...rest } = state.filters;
    const chosen = value === 'below' ? { below: 'true' } : { known: value };
    change({ filters: value === '' ? rest : { ...rest, ...chosen } });
  };
  const clear = (): void => change({ filters: { ...withoutSales(state.filters), by: 'sale' } });
  const close = (): void => {
    const { sale: _, ...rest } = state.filters;
    change({ filters: rest, page: state.page });
  };
  const isOfOne = [listing, rule, run].some((each) => each !== undefined);
  const isNarrowed = [known, below, money].some((each) => each !== undefined) || isOfOne;
  return (
    <>
      <DataTable
        name="sales"
        caption="Sales, newest first"
        noun={SALES_NOUN}
        columns={SALE_COLUMNS}
        rowId={({ id }) => id}
        rowName={({ sku }) => sku}
        query={query}
        paging={pagingOf(state, change)}
        toolbar={
          <>
            <SelectField
              compact
              hideLabel
              label="Profit"
              options={KNOWN_OPTIONS}
              value={below === undefined ? (known ?? '') : 'below'}
              onChange={setProfit}
            />
            <SelectField
              compact
              hideLabel
              label="Fees"
              options={STATE_OPTIONS}
              value={money ?? ''}
              onChange={setState}
            />
            {below !== undefined && query.data?.lost != null && (
              <span className="text-sm text-fg-muted">
                {query.data.isLostAbout && 'about '}
                {formatMoney(query.data.lost)} below it
              </span>
            )}
            {isNarrowed && (
              <Button look="quiet" className="text-link" onClick={clear}>
                {isOfOne ? 'Show all sales' : 'Clear filters'}
              </Button>
            )}
          </>
        }
        card={(sale) => <SaleCard sale={sale} />}
        isFiltered
        empty={null}
        noResults={
          <EmptyNote>
            No sales match.{' '}
            <Button look="outline" onClick={clear}>
              Clear filters
            </Button>
          </EmptyNote>
        }
      />
      {opened !== undefined && <SaleDialog id={opened} onClose={close} />}
    </>
  );
}

function pagingOf({ page, size }: ProfitState, change: TabsProps['change']) {
  return {
    page,
    size,
    sizes: PROFIT_LIST.sizes,
    onPage: (next: number) => change({ page: next }),
    onSize: (next: number) => change({ size: next }),
  };
}
