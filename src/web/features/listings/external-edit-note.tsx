import { useQuery } from '@tanstack/react-query';
import type { ExternalEdit } from '#contract/external-edits.ts';
import type { ListingRow } from '#contract/listings.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { formatMoney } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { MomentText } from '#web/ui/moment-text.tsx';
import { externalEditQuery, useLeaveEdit, useRepairEdit } from './external-edit-queries.ts';

type ExternalEditNoteProps = { row: Pick<ListingRow, 'id' | 'sku'> };

/** A price that was changed on the marketplace to one that is not allowed, and what to do about it. */
export function ExternalEditNote({ row }: ExternalEditNoteProps): React.JSX.Element | null {
  const { data } = useQuery(externalEditQuery(row.id));
  const leave = useLeaveEdit(row);
  const repair = useRepairEdit(row);
  const edit = data?.edit ?? null;
  if (edit === null) return null;
  const isPending = leave.isPending || repair.isPending;
  const isUrgent = edit.isInForce && edit.problem === 'loses_money';
  return (
    <div className="mt-2">
      <Callout tone={isUrgent ? 'danger' : 'info'} title={titleOf(edit)}>
        <p className="text-fg-muted">
          <MomentText iso={edit.foundAt} />: {textOf(edit)}
        </p>
        <div className="mt-2 flex flex-wrap gap-2">
          {edit.unrepairedBecause !== null && (
            <Button disabled={isPending} pending={repair.isPending} onClick={() => repair.mutate(edit)}>
              Repair now: {formatMoney(edit.repairPrice)}
            </Button>
          )}
          <Button
            look="outline"
            disabled={isPending}
            pending={leave.isPending}
            onClick={() => leave.mutate(edit)}
          >
            {isRepaired(edit) ? 'Keep on hold' : 'Keep the marketplace price'}
          </Button>
        </div>
      </Callout>
    </div>
  );
}

const PROBLEMS: Readonly<Record<ExternalEdit['problem'], string>> = {
  loses_money: 'which loses money',
  below_floor: 'below your lowest allowed price',
  above_ceiling: 'above your highest allowed price',
};

function titleOf({ marketplace, price, problem }: ExternalEdit): string {
  return `Changed to ${formatMoney(price)} on ${MARKETPLACE_NAMES[marketplace]}, ${PROBLEMS[problem]}`;
}

const UNREPAIRED: Readonly<Record<NonNullable<ExternalEdit['unrepairedBecause']>, string>> = {
  policy: 'The marketplace price is kept; the listing is on hold.',
  repeated:
    'It was repaired once within 24 hours, so the marketplace price is kept this time. The listing is on hold until you resume it.',
  left: 'A user kept the last marketplace price, so this one is kept too. The listing is on hold.',
  doubtful: 'It was not repaired: today’s costs and fees do not allow the earlier price. Check them first.',
  not_automatic: 'Automatic repricing may not change this listing now, so it was not repaired.',
  too_many: 'Too many prices were changed there within an hour, so it was not repaired.',
};

/** The marketplace no longer shows the changed price, so it cannot be kept. */
function isRepaired({ unrepairedBecause, isInForce }: ExternalEdit): boolean {
  return unrepairedBecause === null && !isInForce;
}

function textOf({ unrepairedBecause, isInForce, repairPrice, marketplace }: ExternalEdit): string {
  if (unrepairedBecause !== null) return UNREPAIRED[unrepairedBecause];
  const price = formatMoney(repairPrice);
  if (isInForce) return `Pricewright is setting it to ${price}.`;
  return `Pricewright set it to ${price} and put the listing on hold for 24 hours. If the change was intended, keep the listing on hold and set the price on ${MARKETPLACE_NAMES[marketplace]} again.`;
}
