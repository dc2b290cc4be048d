import { Store } from 'lucide-react';
import { useEffect } from 'react';
import { MARKETPLACE_NAMES, MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import { focusFirstError } from '#web/lib/focus-first-error.ts';
import { oneOf, useUrlParams } from '#web/lib/url-params.ts';
import { Badge } from '#web/ui/badge.tsx';
import { MarketplaceMark } from '#web/ui/marketplace-mark.tsx';
import { Tab, TabBar, TabGroup, TabPanel } from '#web/ui/tabs.tsx';
import { MarketplacePanel } from './marketplace-panel.tsx';
import { SettingsSection } from './settings-section.tsx';
import { pathOf, type SettingPath } from './settings-values.ts';
import type { ValuesDraft } from './use-values-draft.ts';

type MarketplacesSectionProps = {
  draft: ValuesDraft;
  /** Errors by field. */
  errors: Readonly<Record<SettingPath, string>>;
  /** The field where a save failed: scrolled into view. */
  wrong: Marketplace | null;
  onShown: () => void;
  listingsOn: (marketplace: Marketplace) => number;
};

/** One tab per marketplace: its switch and credentials. The tab is in the address. */
export function MarketplacesSection(props: MarketplacesSectionProps): React.JSX.Element {
  const { draft, errors, wrong, onShown, listingsOn } = props;
  const { params, set } = useUrlParams();
  const tab = oneOf(MARKETPLACES, params.marketplace, MARKETPLACES[0]);
  useEffect(() => {
    if (wrong === null || wrong !== tab) return;
    focusFirstError();
    onShown();
  }, [wrong, tab, onShown]);
  const enabled = MARKETPLACES.filter((marketplace) => draft.isOn(pathOf(marketplace, 'enabled'))).length;
  return (
    <SettingsSection
      id="marketplaces"
      subtitle="Connect the marketplaces you sell on. Credentials are encrypted and never shown again."
      aside={
        <Badge tone="neutral" icon={Store}>
          {enabled} of {MARKETPLACES.length} enabled
        </Badge>
      }
    >
      <TabGroup
        value={tab}
        onValueChange={(chosen) => set({ marketplace: chosen === MARKETPLACES[0] ? undefined : chosen })}
      >
        <TabBar aria-label="Marketplaces" className="px-4">
          {MARKETPLACES.map((marketplace) => (
            <Tab key={marketplace} value={marketplace}>
              <MarketplaceMark marketplace={marketplace} />
              {MARKETPLACE_NAMES[marketplace]}
            </Tab>
          ))}
        </TabBar>
        {MARKETPLACES.map((marketplace) => (
          <TabPanel key={marketplace} value={marketplace} className="rounded-md">
            <MarketplacePanel
              marketplace={marketplace}
              draft={draft}
              errors={errors}
              listings={listingsOn(marketplace)}
            />
          </TabPanel>
        ))}
      </TabGroup>
    </SettingsSection>
  );
}
