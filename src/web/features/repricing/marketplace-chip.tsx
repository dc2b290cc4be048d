import { Upload } from 'lucide-react';
import { Suspense, useState } from 'react';
import type { EngineStatus } from '#contract/engine.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { formatCount } from '#web/lib/format.ts';
import { lazyPart } from '#web/lib/lazy-part.ts';
import { Button } from '#web/ui/button.tsx';
import { MarketplaceMark } from '#web/ui/marketplace-mark.tsx';
import { Popover } from '#web/ui/popover.tsx';
import { MODE_LABELS, modeStatusOf } from './mode-badge.tsx';

type MarketplaceState = EngineStatus['marketplaces'][number];
const Panel = lazyPart(async () => (await import('./marketplace-panel.tsx')).MarketplacePanel);

type MarketplaceChipProps = { state: MarketplaceState; isAdmin: boolean };

/** A marketplace and its repricing mode; opens details, going live, and the price file. */
export function MarketplaceChip({ state, isAdmin }: MarketplaceChipProps): React.JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const name = MARKETPLACE_NAMES[state.marketplace];
  return (
    <Popover
      label={name}
      align="start"
      open={isOpen}
      onOpenChange={setOpen}
      className="w-80"
      trigger={
        <Button
          look="quiet"
          className="gap-1.5 px-2 font-normal text-fg [&_svg]:size-3"
          onPointerEnter={Panel.preload}
          onFocus={Panel.preload}
        >
          <MarketplaceMark marketplace={state.marketplace} />
          {name} <span className="sr-only">{MODE_LABELS[modeStatusOf(state)]}</span>
          {state.toUploadCount > 0 && <ToUpload count={state.toUploadCount} />}
        </Button>
      }
    >
      <Suspense fallback={<div className="h-40" />}>
        <Panel.Part state={state} isAdmin={isAdmin} onDone={() => setOpen(false)} />
      </Suspense>
    </Popover>
  );
}

/** "78 to upload"; the bar has room for the number only. */
function ToUpload({ count }: { count: number }): React.JSX.Element {
  return (
    <span className="flex items-center gap-0.5 rounded-sm bg-badge-warning px-1 font-medium text-badge-warning-fg tabular-nums">
      <Upload aria-hidden />
      {formatCount(count)} <span className="sr-only">to upload</span>
    </span>
  );
}
