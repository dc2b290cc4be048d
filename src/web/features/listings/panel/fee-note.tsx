import { useQuery } from '@tanstack/react-query';
import { History, TriangleAlert } from 'lucide-react';
import type { FeeAnswer, FeeFacts } from '#contract/fee-facts.ts';
import { parseCents } from '#domain/decimal.ts';
import { hasFeeCategories } from '#domain/fees/fee-category.ts';
import { CAPABILITIES } from '#domain/marketplace-capabilities.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { formatMoney } from '#web/lib/format.ts';
import { Badge } from '#web/ui/badge.tsx';
import { MomentText, useNow } from '#web/ui/moment-text.tsx';
import { KIND_LABELS, REFUSAL_TEXTS } from './fee-text.ts';
import { feeFactsQuery } from './queries.ts';

/** Fees told longer ago still count, and are marked: a sync asks every week. */
const OLD_AFTER = 30 * 24 * 3_600_000;

type FeeNoteProps = { id: string; marketplace: Marketplace; currentPrice: string };

/**
 * "Fees told by Amazon for $24.99, 3 h ago: commission $4.25 (17%), fulfillment $4.78", else the fee category that was found;
 * nothing where neither is known.
 */
export function FeeNote({ id, marketplace, currentPrice }: FeeNoteProps): React.JSX.Element | null {
  const isTold = CAPABILITIES[marketplace].fees === 'before_sale' || hasFeeCategories(marketplace);
  const { data } = useQuery({ ...feeFactsQuery(id), enabled: isTold });
  if (!isTold || data === undefined) return null;
  const [newest] = data.answers;
  const answers = data.answers.filter(({ refusedBecause }) => refusedBecause === null);
  // Other prices are asked as well, to find the margin floor.
  const used = answers.find(({ askedPrice }) => askedPrice === currentPrice) ?? answers[0];
  return (
    <>
      {used !== undefined && <Told answer={used} marketplace={marketplace} />}
      {used === undefined && <FoundCategory category={data.category} marketplace={marketplace} />}
      {newest !== undefined && newest.refusedBecause !== null && (
        <p className={LINE}>
          <Badge tone="warning" icon={TriangleAlert}>
            Fees not used
          </Badge>
          <span>
            {MARKETPLACE_NAMES[marketplace]} answered <MomentText iso={newest.toldAt} />:{' '}
            {REFUSAL_TEXTS[newest.refusedBecause]}.
          </span>
        </p>
      )}
    </>
  );
}

type FoundCategoryProps = { category: FeeFacts['category']; marketplace: Marketplace };

/** A fee category that no user entered, and why. */
function FoundCategory({ category, marketplace }: FoundCategoryProps): React.JSX.Element | null {
  const { name, source, isAccepted, productType } = category;
  if (name === null || source === 'person') return null;
  const called = productType === null ? 'its category there' : `product type ${productType}`;
  return (
    <p className={LINE}>
      <span>
        Fee category {name}, found by {called} on {MARKETPLACE_NAMES[marketplace]}.{' '}
        {isAccepted
          ? 'An administrator accepted it.'
          : 'Until an administrator accepts it, the default fee counts where it is higher.'}
      </span>
    </p>
  );
}

function Told({ answer, marketplace }: { answer: FeeAnswer; marketplace: Marketplace }): React.JSX.Element {
  const { askedPrice, askedShipping, toldAt, fees } = answer;
  const isOld = useNow() - Date.parse(toldAt) > OLD_AFTER;
  const name = MARKETPLACE_NAMES[marketplace];
  const charge = askedShipping === '0.00' ? '' : ` and ${formatMoney(askedShipping)} shipping`;
  const charged = fees.filter(({ kind, amount }) => kind === 'commission' || amount !== '0.00');
  const waived = fees.filter(({ promotion }) => promotion !== '0.00');
  return (
    <p className={LINE}>
      {isOld && (
        <Badge tone="warning" icon={History}>
          Over 30 days old
        </Badge>
      )}
      <span>
        Fees told by {name} for {formatMoney(askedPrice)}
        {charge}, <MomentText iso={toldAt} />: {charged.map((fee) => feeText(fee, answer)).join(', ')}.
        {waived.map(
          ({ kind, name: own, promotion }) =>
            ` A promotion takes ${formatMoney(promotion)} off the ${own ?? KIND_LABELS[kind]} for now; it is not counted.`,
        )}
      </span>
    </p>
  );
}

/** "commission $4.25 (17%)" */
function feeText(
  { kind, name, amount }: FeeAnswer['fees'][number],
  { askedPrice, askedShipping }: FeeAnswer,
): string {
  const text = `${name ?? KIND_LABELS[kind]} ${formatMoney(amount)}`;
  if (kind !== 'commission') return text;
  const revenue = (parseCents(askedPrice) ?? 0) + (parseCents(askedShipping) ?? 0);
  const percent = ((parseCents(amount) ?? 0) / revenue) * 100;
  return `${text} (${percent.toLocaleString('en-US', { maximumFractionDigits: 1 })}%)`;
}

const LINE = 'mt-1.5 flex flex-wrap items-center gap-x-2 gap-y-0.5 text-sm text-fg-muted';
