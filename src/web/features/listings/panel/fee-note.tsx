import { useQuery } from '@tanstack/react-query';
import { History, Hourglass, TriangleAlert } from 'lucide-react';
import type { DecideFees, FeeAnswer, FeeFacts } from '#contract/fee-facts.ts';
import { CAPABILITIES } from '#domain/connections/marketplace-capabilities.ts';
import { parseCents } from '#domain/decimal.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { errorText } from '#web/lib/api.ts';
import { formatMoney } from '#web/lib/format.ts';
import { sessionQuery } from '#web/lib/session.ts';
import { toast } from '#web/lib/use-toast.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { MomentText, useNow } from '#web/ui/moment-text.tsx';
import { feeFactsQuery, useDecideFees } from './queries.ts';
import { ABSURD_CHARGE, isFeeOld, KIND_LABELS, REFUSAL_TEXTS } from './reported-fee-text.ts';

type FeeNoteProps = { id: string; marketplace: Marketplace; currentPrice: string };

/**
 * "Fees reported by Amazon for $24.99, 3 h ago: commission $4.25 (17%), fulfillment $4.78", or charged on a sale, else the fee category that was found;
 * nothing where neither is known.
 */
export function FeeNote({ id, marketplace, currentPrice }: FeeNoteProps): React.JSX.Element | null {
  const isReported = CAPABILITIES[marketplace].fees !== 'none';
  const { data } = useQuery({ ...feeFactsQuery(id), enabled: isReported });
  if (!isReported || data === undefined) return null;
  // Of one sale the commission may be used and the fulfillment fee not.
  const newest = data.answers.filter(({ toldAt: at }) => at === data.answers[0]?.toldAt);
  const refused = newest.find(({ refusedBecause }) => refusedBecause !== null);
  const answers = data.answers.filter(({ refusedBecause, isHeld }) => refusedBecause === null && !isHeld);
  const charge = answers.find(({ isInForce }) => isInForce);
  // Other prices are asked as well, to find the margin floor.
  const others = answers.filter((answer) => !isCharge(answer));
  const used = others.find(({ askedPrice }) => askedPrice === currentPrice) ?? others[0];
  return (
    <>
      {used !== undefined && <UsedFee id={id} answer={used} marketplace={marketplace} />}
      {used === undefined && <FoundCategory category={data.category} marketplace={marketplace} />}
      {charge !== undefined && <UsedFee id={id} answer={charge} marketplace={marketplace} />}
      {distinctHeld(data.answers).map((answer) => (
        <Held key={answer.id} id={id} answer={answer} marketplace={marketplace} />
      ))}
      {refused !== undefined && <Refused id={id} answer={refused} marketplace={marketplace} />}
    </>
  );
}

/** Whether it is what was charged for fulfilling units of a sale. */
function isCharge({ source, fees }: FeeAnswer): boolean {
  return source === 'settled' && fees.length > 0 && fees.every(({ kind }) => kind === 'fulfillment');
}

/** What waits: of charges of the same amount the newest, since they are decided about together. */
function distinctHeld(answers: readonly FeeAnswer[]): readonly FeeAnswer[] {
  const held = answers.filter(({ isHeld }) => isHeld);
  const [charges, [first]] = [held.filter(isCharge), held.filter((answer) => !isCharge(answer))];
  const byAmount = new Map(charges.toReversed().map((answer) => [answer.fees[0]?.amount, answer]));
  return [...(first === undefined ? [] : [first]), ...byAmount.values()];
}

type AnswerProps = { id: string; answer: FeeAnswer; marketplace: Marketplace };

/** Why an answer is not used; nothing for one that is. */
function Refused({ id, answer, marketplace }: AnswerProps): React.JSX.Element | null {
  const { source, toldAt, refusedBecause } = answer;
  if (refusedBecause === null) return null;
  const isSettled = source === 'settled';
  const isAbsurd = isCharge(answer) && refusedBecause === 'out_of_range';
  const why = isAbsurd ? ABSURD_CHARGE : REFUSAL_TEXTS[refusedBecause];
  return (
    <p className={LINE}>
      <Badge tone="warning" icon={TriangleAlert}>
        Fees not used
      </Badge>
      <span>
        {MARKETPLACE_NAMES[marketplace]} {isSettled ? 'charged another fee on a sale' : 'answered'}{' '}
        <MomentText iso={toldAt} />: {why}.
        {refusedBecause === 'rejected' &&
          ` ${isSettled ? 'Later sales' : 'Answers'} with the same fee are rejected too while it is lower than the fee in force, until it is used.`}
      </span>
      {refusedBecause === 'out_of_range' && <Decide id={id} answer={answer} choices={['adopt', 'keep']} />}
      {refusedBecause === 'rejected' && <Decide id={id} answer={answer} choices={['adopt']} />}
    </p>
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
          : 'Until an administrator accepts it, the default fee applies if it is higher.'}
      </span>
    </p>
  );
}

/** A fee that is used; a charge of fulfillment can be taken back. */
function UsedFee({ id, answer, marketplace }: AnswerProps): React.JSX.Element {
  const { askedPrice, askedShipping, toldAt, fees, source, isInForce, isAssumed } = answer;
  const isOld = isFeeOld(toldAt, useNow());
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
        {source === 'settled' ? `Fees charged by ${name} on a sale at ` : `Fees reported by ${name} for `}
        {formatMoney(askedPrice)}
        {charge}, <MomentText iso={toldAt} />: {charged.map((fee) => feeText(fee, answer)).join(', ')}.
        {waived.map(
          ({ kind, name: own, promotion }) =>
            ` A promotion takes ${formatMoney(promotion)} off the ${own ?? KIND_LABELS[kind]} for now; it is not counted.`,
        )}
      </span>
      {isInForce && <Decide id={id} answer={answer} choices={isAssumed ? ['adopt', 'keep'] : ['keep']} />}
    </p>
  );
}

/** A lower fee that does not count yet, or a charge that is far higher. */
function Held({ id, answer, marketplace }: AnswerProps): React.JSX.Element {
  return (
    <p className={LINE}>
      <Badge tone="info" icon={Hourglass}>
        Fee not applied yet
      </Badge>
      <span>
        {MARKETPLACE_NAMES[marketplace]} reported another fee for {formatMoney(answer.askedPrice)},{' '}
        <MomentText iso={answer.toldAt} />:{' '}
        {answer.fees
          .filter(({ amount }) => amount !== '0.00')
          .map((fee) => feeText(fee, answer))
          .join(', ')}
        . It applies once it is reported again a day later.
      </span>
      <Decide id={id} answer={answer} choices={['adopt', 'keep']} />
    </p>
  );
}

type Decision = DecideFees['decision'];
type DecideProps = { id: string; answer: FeeAnswer; choices: readonly Decision[] };

/** Lets an administrator decide about an answer. */
function Decide({ id, answer, choices }: DecideProps): React.ReactNode {
  const isAdmin = useQuery(sessionQuery).data?.role === 'admin';
  const decide = useDecideFees(id);
  if (!isAdmin) return null;
  const choose = (decision: Decision): void =>
    decide.mutate(
      { ids: [answer.id], decision },
      {
        onSuccess: () =>
          decision === 'adopt'
            ? toast('Fee accepted', 'It counts in margins and prices from now.')
            : toast(
                'Fee rejected',
                answer.isInForce ? 'It no longer counts in margins and prices.' : 'The fee in force stays.',
              ),
        onError: (error) => toast('Error', errorText(error), 'destructive'),
      },
    );
  return choices.map((decision) => (
    <Button
      key={decision}
      look="quiet"
      className="px-2 text-link"
      disabled={decide.isPending}
      onClick={() => choose(decision)}
    >
      {decision === 'adopt' ? 'Use this fee' : 'Reject it'}
    </Button>
  ));
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
