import type { FeeEstimates } from '#contract/cost-list.ts';
import { errorText } from '#web/lib/api.ts';
import { countOf } from '#web/lib/format.ts';
import { toast } from '#web/lib/use-toast.ts';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { useAcceptFeeEstimates } from './cost-queries.ts';

/** How many listings have an estimated FBA/WFS fee, and whether prices may change because of it. */
export function FeeEstimatesCallout({ listings, areAccepted }: FeeEstimates): React.ReactNode {
  const accept = useAcceptFeeEstimates();
  if (listings === 0) return null;
  const choose = (accepted: boolean): void =>
    accept.mutate(accepted, {
      onSuccess: () =>
        toast(
          accepted ? 'Estimates accepted' : 'Estimates not accepted',
          accepted ? 'Their prices can change automatically.' : 'Their prices are only recommended.',
        ),
      onError: (error) => toast('Error', errorText(error), 'destructive'),
    });
  const have = countOf(listings, 'listing has', 'listings have');
  return (
    <Callout tone="info" title={`${have} an estimated FBA/WFS fee`} className="mb-4">
      <p className="max-w-[80ch] text-fg-muted">
        It comes from size, weight and published fee tables.{' '}
        {areAccepted
          ? 'An administrator accepted estimates, so these prices change automatically.'
          : 'Until you accept estimates, these prices are only recommended.'}{' '}
        A fee that you enter replaces the estimate.
      </p>
      <Button
        look="outline"
        className="mt-3"
        onClick={() => choose(!areAccepted)}
        pending={accept.isPending}
        pendingText="Saving..."
      >
        {areAccepted ? 'Only recommend' : 'Accept estimates'}
      </Button>
    </Callout>
  );
}
