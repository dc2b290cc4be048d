import {
  CircleAlert,
  Ellipsis,
  Hand,
  Pause,
  Play,
  SlidersHorizontal,
  Sparkles,
  Trash2,
  Upload,
} from 'lucide-react';
import { countOf } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Menu, MenuItem } from '#web/ui/menu.tsx';
import { ApplyPriceButton } from './apply-price-button.tsx';
import { type ActionTarget, useListingsScreen } from './listings-screen.ts';
import { useMarkUploaded, useResume, useSetRepricing } from './use-bulk-actions.ts';

type BulkActionsProps = {
  target: ActionTarget;
  /** Why the last action was rejected. */
  problem: string | null;
  /** How many of the selected listings have a recommended price; null while some of them are on other pages. */
  recommended: number | null;
};

/** Actions for the selected listings; all of them support "all matching". */
export function BulkActions({ target, problem, recommended }: BulkActionsProps): React.JSX.Element {
  const { openDialog } = useListingsScreen();
  const resume = useResume();
  const markUploaded = useMarkUploaded();
  return (
    <>
      {problem !== null && (
        <p role="alert" className="flex w-72 shrink-0 items-start gap-1.5 leading-tight text-danger-text">
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          {problem}
        </p>
      )}
      {/* No icons where the bar would need a second line for them. */}
      <div className="contents @max-7xl:[&_svg]:hidden">
        {recommended !== 0 && (
          <ApplyPriceButton onClick={() => openDialog({ kind: 'apply', target })}>
            <Sparkles aria-hidden />
            {recommended === null ? 'Apply recommended' : `Apply ${countOf(recommended, 'price', 'prices')}`}
          </ApplyPriceButton>
        )}
        <RepricingButton target={target} isOn />
        <RepricingButton target={target} isOn={false} />
        <Button look="outline" onClick={() => openDialog({ kind: 'fields', target })}>
          <SlidersHorizontal aria-hidden />
          Set limits or rule
        </Button>
        <Button
          look="outline"
          className="text-danger-text"
          onClick={() => openDialog({ kind: 'delete', target })}
        >
          <Trash2 aria-hidden />
          Delete
        </Button>
        <Menu
          trigger={
            <Button look="outline" aria-label="More actions for the selected listings">
              <Ellipsis aria-hidden />
              More
            </Button>
          }
        >
          <MenuItem icon={Hand} onSelect={() => openDialog({ kind: 'hold', target })}>
            Put on hold...
          </MenuItem>
          <MenuItem icon={Play} onSelect={() => resume(target)}>
            Resume repricing
          </MenuItem>
          <MenuItem icon={Upload} onSelect={() => markUploaded(target)}>
            Mark as uploaded
          </MenuItem>
        </Menu>
      </div>
    </>
  );
}

/** A selection by hand: at once, with Undo. All that match: asks first, as the user has not seen every row. */
function RepricingButton({ target, isOn }: { target: ActionTarget; isOn: boolean }): React.JSX.Element {
  const { openDialog } = useListingsScreen();
  const set = useSetRepricing(isOn);
  const Icon = isOn ? Play : Pause;
  return (
    <Button
      look="outline"
      onClick={() =>
        'ids' in target.selection ? set(target) : openDialog({ kind: 'repricing', target, isOn })
      }
    >
      <Icon aria-hidden />
      {isOn ? 'Enable repricing' : 'Disable repricing'}
    </Button>
  );
}
