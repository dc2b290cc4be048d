import type { NotRepriceableReason } from '#contract/errors.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { countOf, formatCount } from '#web/lib/format.ts';
import { formatMoment } from '#web/lib/moments.ts';
import { AlertDialog } from '#web/ui/alert-dialog.tsx';

/** Asks whether to change prices although marketplaces run a sale or set these prices themselves. */
export function NotRepriceableDialog({
  reasons,
  isOfMany,
  onAnswer,
}: {
  reasons: readonly NotRepriceableReason[];
  isOfMany: boolean;
  onAnswer: (isConfirmed: boolean) => void;
}): React.JSX.Element {
  const listings = reasons.reduce((sum, { listings: count }) => sum + count, 0);
  const isOne = listings === 1 && !isOfMany;
  return (
    <AlertDialog
      open
      onCancel={() => onAnswer(false)}
      title={isOne ? 'Change this price anyway?' : `Change ${countOf(listings, 'price', 'prices')} anyway?`}
      action={isOne ? 'Change price' : 'Change prices'}
      onConfirm={() => onAnswer(true)}
      isDanger={false}
    >
      <ul className="grid gap-3">
        {reasons.map((reason) => (
          <li key={`${reason.marketplace} ${reason.reason}`}>
            <p className="font-medium text-fg">{namesOf(reason)}</p>
            <p>
              {reason.reason}
              {reason.until !== null && ` ${untilText(reason, reason.until)}`}
            </p>
            <p>{effectOf(reason)}</p>
          </li>
        ))}
      </ul>
      {isOfMany && <p className="mt-3">Your answer applies to all listings of this change.</p>}
    </AlertDialog>
  );
}

/** "Amazon: BLUE-1, BLUE-2 and 3 more" */
function namesOf({ marketplace, skus, listings }: NotRepriceableReason): string {
  const more = listings - skus.length;
  const rest = more > 0 ? ` and ${formatCount(more)} more` : '';
  return `${MARKETPLACE_NAMES[marketplace]}: ${skus.join(', ')}${rest}`;
}

function untilText({ listings }: NotRepriceableReason, until: string): string {
  return `It ends ${formatMoment(until, 'exact')}${listings === 1 ? '' : ' at the latest'}.`;
}

function effectOf({ isSent, marketplace, listings }: NotRepriceableReason): string {
  const price = listings === 1 ? 'Your price' : 'Your prices';
  if (isSent)
    return `${price} will be sent. The sale or repricer on ${MARKETPLACE_NAMES[marketplace]} is not changed.`;
  const are = listings === 1 ? 'is' : 'are';
  return `${MARKETPLACE_NAMES[marketplace]} is checked again before sending. While this lasts, ${price.toLowerCase()} ${are} not sent.`;
}
