import type { AnalyticsRange } from '#contract/listing-analytics.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { Tab, TabBar, TabGroup, TabPanel } from '#web/ui/tabs.tsx';
import { AnalyticsTab } from './analytics-tab.tsx';
import { CompetitorsTab } from './competitors-tab.tsx';
import { SalesTab } from './sales-tab.tsx';
import type { PanelTab } from './use-listing-panel.ts';

type PanelTabsProps = {
  id: string;
  /** Null while it is unknown. */
  marketplace: Marketplace | null;
  tab: PanelTab;
  onTab: (tab: PanelTab) => void;
  range: AnalyticsRange;
  onRange: (range: AnalyticsRange) => void;
};

/** The three tabs; each loads, fails and retries separately. */
export function PanelTabs(props: PanelTabsProps): React.JSX.Element {
  const { id, range, onRange } = props;
  return (
    <TabGroup value={props.tab} onValueChange={(value) => props.onTab(value as PanelTab)}>
      <TabBar aria-label="Listing Analytics" className="-mx-5 mb-4 px-5 print:hidden">
        <Tab value="sales">Sales</Tab>
        <Tab value="analytics">Analytics</Tab>
        <Tab value="competitors">Competitors</Tab>
      </TabBar>
      <TabPanel value="sales">
        <SalesTab id={id} range={range} onRange={onRange} />
      </TabPanel>
      <TabPanel value="analytics">
        <AnalyticsTab id={id} />
      </TabPanel>
      <TabPanel value="competitors">
        <CompetitorsTab id={id} marketplace={props.marketplace} range={range} onRange={onRange} />
      </TabPanel>
    </TabGroup>
  );
}
