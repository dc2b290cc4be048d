import { Link } from '@tanstack/react-router';
import type { EngineStatus } from '#contract/engine.ts';
import { countOf } from '#web/lib/format.ts';
import { formatRelative } from '#web/lib/moments.ts';

/** The text shown when a halt starts. */
export const HALTED_TEXT =
  'No new prices are sent until an administrator resumes repricing. Prices already on their way may still go live.';

/**
 * "Halted by Sam, 12 min ago". Who and when alone, for places with little room.
 * @param now epoch milliseconds
 */
export function haltedBrief({ haltedBy, haltedAt }: EngineStatus, now: number): string {
  const by = haltedBy === null ? '' : ` by ${haltedBy}`;
  return `Halted${by}${haltedAt === null ? '' : `, ${formatRelative(haltedAt, now)}`}`;
}

/** "35 prices were already on their way": sent before the halt, and not arrived yet. */
function onTheirWay(count: number): string {
  return `${countOf(count, 'price was', 'prices were')} already on ${count === 1 ? 'its' : 'their'} way`;
}

type HaltedTextProps = {
  status: EngineStatus;
  isAdmin: boolean;
  /** Epoch milliseconds. */
  now: number;
  /** Called when the link is followed. Undefined: no link, as where the text is only announced. */
  onFollow?: () => void;
};

/** Since when repricing is halted, by whom, why, and what may still go live. */
export function HaltedText({ status, isAdmin, now, onFollow }: HaltedTextProps): React.JSX.Element {
  const { inProgressCount, haltReason } = status;
  const were = onTheirWay(inProgressCount);
  return (
    <>
      {haltedBrief(status, now)}. No new prices are sent.{' '}
      {inProgressCount > 0 && (
        <>
          {onFollow === undefined ? (
            were
          ) : (
            <Link
              to="/listings"
              search={{ state: 'in_progress' }}
              onClick={onFollow}
              className="underline underline-offset-2"
            >
              {were}
            </Link>
          )}{' '}
          and may still go live.{' '}
        </>
      )}
      {haltReason !== null && `Reason: ${haltReason} `}
      {!isAdmin && 'Only an administrator can resume.'}
    </>
  );
}
