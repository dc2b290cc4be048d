import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { DraftExplanation, PreviewedListing, RuleForm } from '#contract/rules.ts';
import { errorText } from '#web/lib/api.ts';
import { classNames } from '#web/lib/class-names.ts';
import { formatMoney } from '#web/lib/format.ts';
import { Combobox } from '#web/ui/combobox.tsx';
import { MarketplaceMark } from '#web/ui/marketplace-mark.tsx';
import { TracedLines } from '#web/ui/traced-lines.tsx';
import { LISTING_CHOICES, type ListingChoice } from './listing-choices.ts';
import { listingTraceQuery } from './queries.ts';

type ListingTraceProps = {
  id: string | null;
  /** The draft that is previewed. */
  rule: RuleForm;
  /** Shown until the user chooses another. */
  first: PreviewedListing | null;
};

const NOUN = { one: 'listing', many: 'listings' };

/** One listing under the draft, line by line. */
export function ListingTrace({ id, rule, first }: ListingTraceProps): React.JSX.Element | null {
  const [chosen, setChosen] = useState<ListingChoice | null>(null);
  const listing = chosen ?? first;
  const trace = useQuery({
    ...listingTraceQuery(id, rule, listing?.listingId ?? ''),
    enabled: listing !== null,
    placeholderData: keepPreviousData,
  });
  if (listing === null) return null;
  return (
    <div className="flex flex-col gap-3 border-t px-4 py-3" aria-busy={trace.isFetching}>
      <h3 className="font-semibold">One listing, line by line</h3>
      <Combobox<ListingChoice>
        label="Listing"
        hideLabel
        placeholder="Search by SKU or title"
        source={LISTING_CHOICES}
        noun={NOUN}
        keyOf={({ listingId }) => listingId}
        textOf={choiceText}
        drawOption={(option) => <Choice choice={option} />}
        value={choiceText(listing)}
        onChoose={setChosen}
      />
      {trace.error !== null && (
        <p role="alert" className="text-sm text-danger-text">
          {errorText(trace.error)}
        </p>
      )}
      {trace.data !== undefined && trace.error === null && (
        <div className={classNames('flex flex-col gap-2', trace.isPlaceholderData && 'opacity-60')}>
          <Outcome explanation={trace.data} />
          {trace.data.lines.length > 0 && <TracedLines lines={trace.data.lines} />}
        </div>
      )}
    </div>
  );
}

function choiceText({ sku, title }: Pick<ListingChoice, 'sku' | 'title'>): string {
  return `${sku} - ${title}`;
}

function Choice({ choice }: { choice: ListingChoice }): React.JSX.Element {
  return (
    <span className="flex min-w-0 flex-1 items-center gap-2">
      <MarketplaceMark marketplace={choice.marketplace} />
      <span className="min-w-0 flex-1 truncate">{choiceText(choice)}</span>
      <span className="shrink-0 tabular-nums">{formatMoney(choice.price)}</span>
    </span>
  );
}

function Outcome({ explanation }: { explanation: DraftExplanation }): React.JSX.Element {
  const { listing, isPriced, otherRule } = explanation;
  if (!isPriced) {
    return (
      <p className="text-sm text-fg-muted">
        {otherRule === null
          ? 'This rule does not match the listing, so its price stays.'
          : `"${otherRule.name}" prices this listing, not this rule.`}
      </p>
    );
  }
  const { oldPrice, newPrice, sentence } = listing;
  return (
    <p className="text-sm">
      <span className="font-semibold tabular-nums">
        {newPrice === null || newPrice === oldPrice
          ? formatMoney(oldPrice)
          : `${formatMoney(oldPrice)} to ${formatMoney(newPrice)}`}
      </span>{' '}
      <span className="text-fg-muted">{sentence}</span>
    </p>
  );
}
