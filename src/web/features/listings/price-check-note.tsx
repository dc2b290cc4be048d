import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import type { PriceCheck } from '#contract/price-actions.ts';
import { listText } from '#domain/text.ts';
import { formatMoney } from '#web/lib/format.ts';
import { MarginText } from '#web/ui/margin-text.tsx';

type PriceCheckNoteProps = {
  /** The current price while nothing else is typed. */
  margin: string | null;
  isUntouched: boolean;
  check: PriceCheck | undefined;
  problem: string | null;
  question: string | null;
  /** SKUs of other listings that change with it. */
  sharesPriceWith: readonly string[];
};

/** The check of a typed price: margin and profit, a violated limit, what the marketplace does with it, or the question before a large change. */
export function PriceCheckNote(props: PriceCheckNoteProps): React.JSX.Element {
  const { check, problem, question, isUntouched } = props;
  return (
    <>
      {problem !== null && (
        <p className="mb-2 flex gap-1.5 text-sm text-danger-text">
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          {problem}
        </p>
      )}
      {problem === null && question !== null && (
        <p className="mb-2 flex gap-1.5 text-sm text-warning-text">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          {question} Press Enter again to confirm.
        </p>
      )}
      {problem === null &&
        check?.notes.map((note) => (
          <p key={note} className="mb-2 flex gap-1.5 text-sm text-fg-muted">
            <Info aria-hidden className="mt-0.5 size-4 shrink-0" />
            {note}
          </p>
        ))}
      {props.sharesPriceWith.length > 0 && (
        <p className="mb-2 text-sm">Also changes {listText(props.sharesPriceWith)}.</p>
      )}
      <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1 text-sm">
        <dt className="text-fg-muted">Margin at this price</dt>
        <dd className="text-right">
          {isUntouched || check !== undefined ? (
            <MarginText percent={check === undefined ? props.margin : check.margin} />
          ) : (
            '...'
          )}
        </dd>
        {check !== undefined && check.profit !== null && (
          <>
            <dt className="text-fg-muted">Profit per sale</dt>
            <dd className="text-right tabular-nums">{formatMoney(check.profit)}</dd>
          </>
        )}
        {check !== undefined && check.lowestAllowedPrice !== null && (
          <>
            <dt className="text-fg-muted">Lowest allowed price</dt>
            <dd className="text-right tabular-nums">{formatMoney(check.lowestAllowedPrice)}</dd>
          </>
        )}
      </dl>
    </>
  );
}
