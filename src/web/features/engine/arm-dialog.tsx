import type { ArmPlan } from '#contract/arm-plan.ts';
import type { EngineStatus } from '#contract/engine.ts';
import { MARKETPLACE_NAMES, MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import { countOf } from '#web/lib/format.ts';
import { useUrlParams } from '#web/lib/url-params.ts';
import { toast } from '#web/lib/use-toast.ts';
import { ArmChoice } from './arm-choice.tsx';
import { changesOn } from './forecast-words.ts';
import { standingOf } from './mode-badge.tsx';
import { PlanDialog } from './plan-dialog.tsx';
import { useArm } from './queries.ts';

/** In the address while nothing is chosen yet. */
const CHOOSE = 'choose';

/**
 * Opens on any page whose address says `?arm=choose`, so that a checklist can link to it, or `?arm=walmart`, with Walmart
 * chosen. One chooses which marketplaces are armed, sees the plan of exactly these, and arms them; where the shop sells
 * on one only there is nothing to choose.
 */
export function ArmDialog({ status }: { status: EngineStatus }): React.JSX.Element | null {
  const { params, set } = useUrlParams();
  const arm = useArm();
  const words = params.arm?.split(',') ?? [];
  const wanted = MARKETPLACES.filter((marketplace) => words.includes(marketplace));
  const used = status.marketplaces.filter(({ listingCount }) => listingCount > 0);
  if (used.length === 0 || (wanted.length === 0 && params.arm !== CHOOSE)) return null;
  // Those under way stay chosen until the dialog closes, though they are armed a moment earlier.
  const isUnderWay = arm.isPending || arm.isSuccess;
  const mayArm = (state: (typeof used)[number]): boolean =>
    standingOf(state) === 'observe' || (isUnderWay && wanted.includes(state.marketplace));
  const armable = used.filter(mayArm).map(({ marketplace }) => marketplace);
  const isAsked = used.length > 1 || armable.length === 0;
  const chosen = isAsked ? armable.filter((marketplace) => wanted.includes(marketplace)) : armable;
  const names = namesOf(chosen);
  const close = (): void => set({ arm: undefined });
  const choose = (marketplace: Marketplace, isChosen: boolean): void => {
    const next = armable.filter((each) => (each === marketplace ? isChosen : chosen.includes(each)));
    set({ arm: next.join(',') || CHOOSE }, true);
  };
  return (
    <PlanDialog
      title={isAsked ? 'Arm marketplaces' : `Arm ${names}`}
      description={
        isAsked
          ? 'Where you arm, the engine takes prices by itself, never under your minimum margin. Everywhere else it goes on observing.'
          : 'Armed, the engine takes these prices by itself. Nothing goes under your minimum margin.'
      }
      stay="Keep observing"
      verb={(plan) => verb(names, chosen, plan)}
      isWholeShop={used.length === chosen.length}
      pendingText="Arming..."
      failed={`${names} could not be armed`}
      marketplaces={chosen}
      {...(isAsked && {
        choice: ({ forecasts, isActing }) => (
          <ArmChoice
            marketplaces={used}
            armable={armable}
            chosen={chosen}
            onChoose={choose}
            isLocked={isActing}
            forecasts={forecasts}
          />
        ),
      })}
      act={(token) => arm.mutateAsync({ marketplaces: chosen, token })}
      onDone={() => {
        toast(`${names} armed`, 'The next run takes these prices. Disarm or halt at any time.');
        close();
      }}
      onClose={close}
    />
  );
}

// The plan counts the prices of every armed marketplace; this is about those that are armed now.
function verb(names: string, chosen: readonly Marketplace[], plan: ArmPlan): string {
  const changes = changesOn(chosen, plan);
  if (changes === 0) return `Arm ${names}: no price changes yet`;
  return `Arm ${names}: change ${countOf(changes, 'price', 'prices')}`;
}

function namesOf(marketplaces: readonly Marketplace[]): string {
  return new Intl.ListFormat('en-US').format(marketplaces.map((each) => MARKETPLACE_NAMES[each]));
}
