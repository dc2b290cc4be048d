import { useNavigate, useSearch } from '@tanstack/react-router';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { Tab, TabBar, TabGroup, TabPanel } from '#web/ui/tabs.tsx';
import { CostsTab } from './costs-tab.tsx';
import { FeesTab } from './fees-tab.tsx';

const FEES = 'fees';
const COSTS = 'costs';

/** Costs of a sale: the parts of each listing, and the marketplace fees. The tab is in the address. */
export function CostsPage(): React.JSX.Element {
  const search: { tab?: string } = useSearch({ strict: false });
  const navigate = useNavigate();
  const choose = (tab: string): void =>
    void navigate({ to: '.', search: tab === FEES ? { tab } : {}, resetScroll: false });
  return (
    <div className="flex flex-1 flex-col">
      <PageHeading
        title="Cost Management"
        subtitle="What each sale costs you and what marketplaces charge. Both determine your margin floors."
      />
      <TabGroup
        value={search.tab === FEES ? FEES : COSTS}
        onValueChange={choose}
        className="flex flex-col gap-3"
      >
        <TabBar aria-label="Costs or fees">
          <Tab value={COSTS}>Costs</Tab>
          <Tab value={FEES}>Fees</Tab>
        </TabBar>
        <TabPanel value={COSTS} tabIndex={-1} className="outline-none">
          <CostsTab />
        </TabPanel>
        <TabPanel value={FEES} tabIndex={-1} className="outline-none">
          <FeesTab />
        </TabPanel>
      </TabGroup>
    </div>
  );
}
