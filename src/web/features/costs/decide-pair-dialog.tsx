import type { FeeDrifts } from '#contract/fee-facts.ts';
import type { FeeDecision } from '#domain/fees/fee-fact.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { errorText } from '#web/lib/api.ts';
import { countOf, shortPercent } from '#web/lib/format.ts';
import { toast } from '#web/lib/use-toast.ts';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { useDecideFees } from './fee-queries.ts';

type DecidePairDialogProps = { drift: FeeDrifts['drifts'][number]; onClose: () => void };

/** Decides about the lower commissions that wait of all listings with a pair of rates. */
export function DecidePairDialog({ drift, onClose }: DecidePairDialogProps): React.JSX.Element {
  const { marketplace, told, scheduled, waiting } = drift;
  const decide = useDecideFees();
  const many = countOf(waiting, 'listing', 'listings');
  const name = MARKETPLACE_NAMES[marketplace];
  const say = (decision: FeeDecision): void =>
    decide.mutate(
      { pair: { marketplace, told, scheduled }, waiting, decision },
      {
        onSuccess: ({ listings }) => {
          const decided = countOf(listings, 'listing', 'listings');
          if (decision === 'adopt') toast('Fees accepted', `Repricing ${decided}.`);
          else toast('Fees rejected', `The fee in force stays for ${decided}.`);
          onClose();
        },
      },
    );
  return (
    <Dialog
      open
      onClose={onClose}
      size="small"
      title={`Use the lower commission on ${name}?`}
      onSubmit={() => say('adopt')}
      alert={
        decide.error !== null && (
          <Callout tone="danger" role="alert" title="Could not save the decision">
            {errorText(decide.error)}
          </Callout>
        )
      }
      footer={
        <>
          <Button look="outline" onClick={onClose}>
            Cancel
          </Button>
          <Button look="outline" onClick={() => say('keep')} disabled={decide.isPending}>
            Reject it
          </Button>
          <Button type="submit" pending={decide.isPending} pendingText="Saving...">
            Use for {many}
          </Button>
        </>
      }
    >
      <p>
        {name} reported {shortPercent(told)}%; your schedule has {shortPercent(scheduled)}%. For {many} this
        is lower than before and applies once it is reported again a day later. Use it now to lower margin
        floors at once. If you reject it, the same fee is rejected next time.
      </p>
    </Dialog>
  );
}
