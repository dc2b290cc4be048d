import { countOf, formatCount } from '#web/lib/format.ts';
import { AlertDialog } from '#web/ui/alert-dialog.tsx';
import { Button } from '#web/ui/button.tsx';
import { CostEditor } from '#web/ui/costs/cost-editor.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { ApplyDialog } from './apply-dialog.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { FieldsDialog } from './fields-dialog.tsx';
import { HoldDialog } from './hold-dialog.tsx';
import type { ListingDialog } from './listings-screen.ts';
import { useSetRepricing } from './use-bulk-actions.ts';
import { useListingCache } from './use-listing-cache.ts';

type ListingDialogsProps = { dialog: ListingDialog | null; onClose: () => void };

/** The open dialog, if any. */
export function ListingDialogs({ dialog, onClose }: ListingDialogsProps): React.JSX.Element | null {
  const { reload } = useListingCache();
  switch (dialog?.kind) {
    case 'costs':
      return <CostEditor listingId={dialog.listingId} onSaved={() => void reload()} onClose={onClose} />;
    case 'fields':
      return <FieldsDialog target={dialog.target} ticked={dialog.ticked} onClose={onClose} />;
    case 'hold':
      return <HoldDialog target={dialog.target} onClose={onClose} />;
    case 'apply':
      return <ApplyDialog target={dialog.target} onClose={onClose} />;
    case 'delete':
      return <DeleteDialog target={dialog.target} onClose={onClose} />;
    case 'repricing':
      return <RepricingDialog {...dialog} onClose={onClose} />;
    case 'outcome':
      return <OutcomeDialog {...dialog} onClose={onClose} />;
    case undefined:
      return null;
  }
}

type Of<Kind extends ListingDialog['kind']> = Extract<ListingDialog, { kind: Kind }> & {
  onClose: () => void;
};

function RepricingDialog({ target, isOn, onClose }: Of<'repricing'>): React.JSX.Element {
  const set = useSetRepricing(isOn);
  const verb = isOn ? 'Enable' : 'Disable';
  const what = countOf(target.count, 'listing', 'listings');
  return (
    <AlertDialog
      open
      onCancel={onClose}
      isDanger={false}
      title={`${verb} repricing for ${what}?`}
      action={`${verb} repricing`}
      onConfirm={() => {
        onClose();
        set(target);
      }}
    >
      {isOn
        ? 'Their prices may change at the next check on live marketplaces.'
        : 'Their prices stay as they are. Recommended prices are still shown.'}
    </AlertDialog>
  );
}

/** The skipped listings of a bulk action, with reasons. */
function OutcomeDialog({ title, outcome, onClose }: Of<'outcome'>): React.JSX.Element {
  const { done, refused, refusedCount } = outcome;
  return (
    <Dialog
      open
      onClose={onClose}
      title={`${title}: ${countOf(done, 'listing', 'listings')} done, ${formatCount(refusedCount)} skipped`}
      footer={<Button onClick={onClose}>Close report</Button>}
    >
      <ul className="flex flex-col divide-y">
        {refused.map(({ listingId, sku, message }) => (
          <li key={listingId} className="py-2">
            <span className="font-mono text-sm font-medium">{sku}</span>
            <p className="text-fg-muted">{message}</p>
          </li>
        ))}
      </ul>
      {refusedCount > refused.length && (
        <p className="mt-2 text-fg-muted">And {countOf(refusedCount - refused.length, 'other', 'others')}.</p>
      )}
    </Dialog>
  );
}
