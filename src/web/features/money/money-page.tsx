import { Link } from '@tanstack/react-router';
import { Banknote, Download } from 'lucide-react';
import { useListState } from '#web/lib/list-state.ts';
import { buttonClasses } from '#web/ui/button.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { Tab, TabBar, TabGroup, TabPanel } from '#web/ui/tabs.tsx';
import { AmountsTab } from './amounts-tab.tsx';
import { exportAddress, MONEY_LIST, MONEY_TABS, type MoneyTab, tabOf } from './queries.ts';
import { RefusedTab } from './refused-tab.tsx';
import { SettlementsTab } from './settlements-tab.tsx';

const TABS: Readonly<Record<MoneyTab, string>> = {
  settlements: 'Settlements',
  amounts: 'Amounts',
  refused: 'Not counted',
};

/** What marketplaces paid and charged: settlements held against their amounts, and what belongs to no sale. */
export function MoneyPage(): React.JSX.Element {
  const [state, change] = useListState(MONEY_LIST);
  const tab = tabOf(state);
  const choose = (next: string): void => {
    const { marketplace } = state.filters;
    const kept = marketplace === undefined ? {} : { marketplace };
    change({ filters: next === 'settlements' ? kept : { ...kept, show: next } });
  };
  return (
    <div className="flex flex-col">
      <PageHeading title="Money" subtitle="What marketplaces paid and charged, amount by amount">
        <Link to="/profit" className={buttonClasses({ look: 'outline', phone: 'icon' })}>
          <Banknote aria-hidden />
          <span>Profit</span>
        </Link>
        <a href={exportAddress(state)} download className={buttonClasses({ look: 'outline', phone: 'icon' })}>
          <Download aria-hidden />
          <span>Export amounts</span>
        </a>
      </PageHeading>
      <TabGroup value={tab} onValueChange={choose} className="flex flex-col gap-3">
        <TabBar aria-label="Money">
          {MONEY_TABS.map((name) => (
            <Tab key={name} value={name}>
              {TABS[name]}
            </Tab>
          ))}
        </TabBar>
        <TabPanel value={tab} tabIndex={-1} className="outline-none">
          {tab === 'settlements' && <SettlementsTab state={state} change={change} />}
          {tab === 'amounts' && <AmountsTab state={state} change={change} />}
          {tab === 'refused' && <RefusedTab state={state} change={change} />}
        </TabPanel>
      </TabGroup>
    </div>
  );
}
