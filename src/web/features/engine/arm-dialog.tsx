import type { ArmPlan, EngineStatus } from '#contract/engine.ts';
import { MARKETPLACE_NAMES, MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import { countOf } from '#web/lib/format.ts';
import { useUrlParams } from '#web/lib/url-params.ts';
import { toast } from '#web/lib/use-toast.ts';
import { PlanDialog } from './plan-dialog.tsx';
import { useArm } from './queries.ts';

/** Opens on any page whose address says `?arm=walmart` or `?arm=walmart,ebay`, so that a checklist can link to it. */
export function ArmDialog({ status }: { status: EngineStatus }): React.JSX.Element | null {
  const { params, set } = useUrlParams();
  const arm = useArm();
  const wanted = new Set(params.arm?.split(',') ?? []);
  const marketplaces = MARKETPLACES.filter((marketplace) => wanted.has(marketplace));
  if (marketplaces.length === 0) return null;
  const names = namesOf(marketplaces);
  const others = status.marketplaces.filter(
    ({ marketplace, listingCount }) => listingCount > 0 && !wanted.has(marketplace),
  );
  const close = (): void => set({ arm: undefined });
  return (
    <PlanDialog
      key={names}
      title={`Arm ${names}`}
      description="Armed, the engine takes these prices by itself. Nothing goes under your minimum margin."
      stay="Keep observing"
      verb={(plan) => verb(names, plan, others)}
      isWholeShop={others.length === 0}
      pendingText="Arming..."
      failed={`${names} could not be armed`}
      marketplaces={marketplaces}
      act={(token) => arm.mutateAsync({ marketplaces, token })}
      onDone={() => {
        toast(`${names} armed`, 'The next run takes these prices. Disarm or halt at any time.');
        close();
      }}
      onClose={close}
    />
  );
}

// The plan counts the prices of every armed marketplace, not only of those that are armed now.
function verb(names: string, { changes }: ArmPlan, others: EngineStatus['marketplaces']): string {
  if (changes === 0) return `Arm ${names}: no price changes yet`;
  const where = others.some(({ mode }) => mode === 'armed') ? ' in the whole shop' : '';
  return `Arm ${names}: change ${countOf(changes, 'price', 'prices')}${where}`;
}

function namesOf(marketplaces: readonly Marketplace[]): string {
  return new Intl.ListFormat('en-US').format(marketplaces.map((each) => MARKETPLACE_NAMES[each]));
}
