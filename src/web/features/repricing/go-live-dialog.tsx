import type { EngineStatus } from '#contract/engine.ts';
import type { RunPreview } from '#contract/run-preview.ts';
import { MARKETPLACE_NAMES, MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import { countOf } from '#web/lib/format.ts';
import { useUrlParams } from '#web/lib/url-params.ts';
import { toast } from '#web/lib/use-toast.ts';
import { Button } from '#web/ui/button.tsx';
import { changesOn } from './forecast-text.ts';
import { goLiveParam } from './go-live-param.ts';
import { MarketplacePicker } from './marketplace-picker.tsx';
import { modeStatusOf } from './mode-badge.tsx';
import { PlanDialog } from './plan-dialog.tsx';
import { useGoLive } from './queries.ts';

/** The address while marketplaces are being chosen: `?go-live=choose`, then `?go-live=choose,walmart`. */
const CHOOSE = 'choose';

/**
 * Opens on any page with `?go-live=choose`, so that a checklist can link to it: the user chooses
 * marketplaces, sees their preview, and confirms it. `?go-live=walmart` opens the preview of Walmart
 * directly, and with only one marketplace there is nothing to choose.
 */
export function GoLiveDialog({ status }: { status: EngineStatus }): React.JSX.Element | null {
  const { params, set } = useUrlParams();
  const goLive = useGoLive();
  const words = goLiveParam(params)?.split(',') ?? [];
  const wanted = MARKETPLACES.filter((marketplace) => words.includes(marketplace));
  const used = status.marketplaces.filter(({ listingCount }) => listingCount > 0);
  if (used.length === 0 || (wanted.length === 0 && !words.includes(CHOOSE))) return null;
  // Kept until the dialog closes, although they become live a moment earlier.
  const isUnderWay = goLive.isPending || goLive.isSuccess;
  const available = used
    .filter(
      (state) =>
        modeStatusOf(state) === 'recommend_only' || (isUnderWay && wanted.includes(state.marketplace)),
    )
    .map(({ marketplace }) => marketplace);
  const chosen =
    used.length === 1 ? available : available.filter((marketplace) => wanted.includes(marketplace));
  const names = namesOf(chosen);
  const show = (value: string | undefined, isReplaced = false): void =>
    set({ 'go-live': value, arm: undefined }, isReplaced);
  const close = (): void => show(undefined);
  const isChoosing = words.includes(CHOOSE) && used.length > 1;
  if (isChoosing || chosen.length === 0) {
    return (
      <MarketplacePicker
        marketplaces={used}
        available={available}
        chosen={chosen}
        // No history entry: Back leaves the choice, or returns to it from the preview.
        onChoose={(next) => show([CHOOSE, ...next].join(), true)}
        onDone={() => show(chosen.join())}
        onClose={close}
      />
    );
  }
  return (
    <PlanDialog
      key={names}
      title={`Go live on ${names}`}
      description={
        available.length > chosen.length
          ? `Once ${names} ${isAre(chosen)} live, Pricewright applies new prices automatically, never below your minimum margin. Other marketplaces do not change.`
          : 'Once live, Pricewright applies these prices automatically, never below your minimum margin.'
      }
      stay="Keep recommending"
      verb={(plan) => verb(names, chosen, plan)}
      isWholeShop={used.length === chosen.length}
      pendingText="Going live..."
      failed={`Could not go live on ${names}`}
      marketplaces={chosen}
      back={
        available.length > 1 && (
          <Button look="quiet" className="md:mr-auto" onClick={() => show([CHOOSE, ...chosen].join())}>
            Choose other marketplaces
          </Button>
        )
      }
      act={({ token, fallen }) => goLive.mutateAsync({ marketplaces: chosen, token, fallen: fallen.count })}
      onDone={() => {
        toast(`${names} ${isAre(chosen)} live`, nextStep(status));
        close();
      }}
      onClose={close}
    />
  );
}

// The preview counts every live marketplace; the text is about those that go live now.
function verb(names: string, chosen: readonly Marketplace[], plan: RunPreview): string {
  const changes = changesOn(chosen, plan);
  if (changes === 0) return `Go live on ${names}: no price changes now`;
  return `Go live on ${names}: change ${countOf(changes, 'price', 'prices')}`;
}

function isAre({ length }: readonly Marketplace[]): string {
  return length === 1 ? 'is' : 'are';
}

// A live marketplace gets its prices from the next run, unless runs or automatic changes are stopped.
function nextStep({ isHalted, autoRepricing }: EngineStatus): string {
  if (isHalted) return 'Prices are applied once repricing is resumed.';
  if (!autoRepricing) return 'Automatic repricing is off in Settings, so prices are only recommended.';
  return 'Pricewright is applying these prices now. You can switch back or halt at any time.';
}

function namesOf(marketplaces: readonly Marketplace[]): string {
  return new Intl.ListFormat('en-US').format(marketplaces.map((each) => MARKETPLACE_NAMES[each]));
}
