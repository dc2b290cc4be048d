import { CircleHelp } from 'lucide-react';
import type { BuyBox } from '#contract/listing-analytics.ts';
import type { BoxHolder } from '#domain/competition/box-holding.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { formatMoney } from '#web/lib/format.ts';
import { MomentText } from '#web/ui/moment-text.tsx';

type BuyBoxNoteProps = { buyBox: BuyBox; marketplace: Marketplace | null };

/** Who holds the buy box, since when, and who held it before. What was not read is not called lost. */
export function BuyBoxNote({ buyBox, marketplace }: BuyBoxNoteProps): React.JSX.Element {
  const { holder, seller, since, isAtLeast, seenAt, isOutdated, isSuppressed, before } = buyBox;
  const name = nameOf(holder, seller, marketplace);
  return (
    <div className="flex flex-col gap-1">
      {isSuppressed && <p>No one holds the buy box now.</p>}
      {isOutdated && !isSuppressed && (
        <p className="flex items-start gap-1.5 text-warning-text">
          <CircleHelp aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span>
            The current buy box holder is unknown. Last checked <MomentText iso={seenAt} />.
          </span>
        </p>
      )}
      <p>
        <strong className="font-semibold">{name}</strong>
        {isOutdated || isSuppressed ? ' had' : holder === 'ours' ? ' have' : ' has'} the buy box at{' '}
        {formatMoney(buyBox.price)}
        {since !== null && (
          <>
            {' '}
            since <MomentText iso={since} />
            {isAtLeast && ' or longer'}
          </>
        )}
        .
      </p>
      {before !== null && (
        <p className="text-fg-muted">
          Before: {nameOf(before.holder, before.seller, marketplace)}, last seen{' '}
          <MomentText iso={before.seenAt} />.
        </p>
      )}
    </div>
  );
}

function nameOf(holder: BoxHolder, seller: string | null, marketplace: Marketplace | null): string {
  switch (holder) {
    case 'ours':
      return 'You';
    case 'marketplace':
      return marketplace === null ? 'The marketplace' : MARKETPLACE_NAMES[marketplace];
    case 'seller':
      return seller ?? 'Another seller';
    case 'unnamed':
      return 'A seller without a name';
  }
}
