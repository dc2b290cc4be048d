import { useQuery, useQueryClient } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import type { SkuSelection } from '#contract/skus.ts';
import { errorText } from '#web/lib/api.ts';
import { countOf } from '#web/lib/format.ts';
import { reportUndoable } from '#web/lib/recent-actions-store.ts';
import { toast } from '#web/lib/use-toast.ts';
import { AlertDialog } from '#web/ui/alert-dialog.tsx';
import { Button } from '#web/ui/button.tsx';
import { Menu, MenuItem } from '#web/ui/menu.tsx';
import { usesText } from './impact-panel.tsx';
import { unmarkHazardous, useMarkHazardous, usesQuery } from './sku-calls.ts';

type HazardousMenuProps = { selection: SkuSelection; count: number; onDone: () => void };

/** Marks the selected SKUs as hazardous goods, or no longer. */
export function HazardousMenu(props: HazardousMenuProps): React.JSX.Element {
  const [choice, setChoice] = useState<boolean | null>(null);
  return (
    <>
      <Menu
        align="start"
        trigger={
          <Button look="outline">
            <TriangleAlert aria-hidden />
            Hazardous
          </Button>
        }
      >
        <MenuItem onSelect={() => setChoice(true)}>Mark as hazardous</MenuItem>
        <MenuItem onSelect={() => setChoice(false)}>Mark as not hazardous</MenuItem>
      </Menu>
      {choice !== null && <HazardousDialog {...props} isHazardous={choice} onClose={() => setChoice(null)} />}
    </>
  );
}

type HazardousDialogProps = HazardousMenuProps & { isHazardous: boolean; onClose: () => void };

/** Shows what the mark affects. Undo takes it back. */
function HazardousDialog(props: HazardousDialogProps): React.JSX.Element {
  const { selection, count, isHazardous, onDone, onClose } = props;
  const uses = useQuery(usesQuery(selection));
  const mark = useMarkHazardous();
  const client = useQueryClient();
  const confirm = (): void =>
    mark.mutate(
      { selection, isHazardous },
      {
        onSuccess: (ids) => {
          onClose();
          onDone();
          if (ids.length === 0) return void toast('Nothing changed', 'All of them are marked so already.');
          reportUndoable({
            title: isHazardous ? 'Marked as hazardous' : 'Marked as not hazardous',
            text: `${countOf(ids.length, 'SKU was', 'SKUs were')} changed.`,
            failed: 'Could not change the SKUs back',
            undo: () => unmarkHazardous(client, ids, !isHazardous),
          });
        },
      },
    );
  const failure = mark.error ?? uses.error;
  const used = uses.data === undefined ? null : usesText(uses.data);
  const what = `${countOf(count, 'SKU', 'SKUs')} as ${isHazardous ? '' : 'not '}hazardous`;
  return (
    <AlertDialog
      open
      onCancel={onClose}
      title={`Mark ${what}?`}
      action={`Mark ${countOf(count, 'SKU', 'SKUs')}`}
      pending={mark.isPending}
      pendingText="Saving..."
      onConfirm={confirm}
      isDanger={false}
    >
      <p>{isHazardous ? MARKED : UNMARKED}</p>
      {used !== null && <p className="mt-3">{`The cost of ${used} has them in it.`}</p>}
      {failure !== null && (
        <p role="alert" className="mt-3 text-danger-text">
          {errorText(failure)}
        </p>
      )}
    </AlertDialog>
  );
}

const MARKED =
  'The estimated WFS fee rises by $0.50 per unit. The FBA fee is no longer estimated: such listings keep their prices and are not repriced until the fee is reported or entered.';
const UNMARKED =
  'Their FBA and WFS fees are estimated like those of other products. If they are hazardous after all, the actual fees may be higher.';
