import { Link } from '@tanstack/react-router';
import type { PriceExplanation } from '#contract/explanation.ts';
import { situationWords } from '#domain/lines/parse-condition.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { formatMoney, formatPercent } from '#web/lib/format.ts';
import { MomentText } from '#web/ui/moment-text.tsx';
import { NotAvailable } from '#web/ui/not-available.tsx';
import { TracedLines } from '#web/ui/traced-lines.tsx';
import { Facts, Section } from './section.tsx';

const money = (amount: string | null): React.ReactNode =>
  amount === null ? <NotAvailable /> : formatMoney(amount);

/** The rule, and why it takes precedence. */
export function RuleCard({ rule }: PriceExplanation): React.JSX.Element {
  return (
    <Section title="Rule">
      {rule === null ? (
        <p className="text-fg-muted">No active rule applies to this listing.</p>
      ) : (
        <>
          <Facts
            facts={[
              {
                name: 'Name',
                value: (
                  <Link
                    to="/rules"
                    search={{ rule: rule.id }}
                    className="text-link underline underline-offset-2"
                  >
                    {rule.name}
                  </Link>
                ),
              },
              ...(rule.strategy === null ? [] : [{ name: 'Strategy', value: rule.strategy }]),
              {
                name: 'Minimum margin',
                value: rule.minimumMargin === null ? <NotAvailable /> : formatPercent(rule.minimumMargin),
              },
            ]}
          />
          <p className="-mx-4 mt-3 border-t px-4 pt-3 text-fg-muted">{rule.why}</p>
        </>
      )}
    </Section>
  );
}

/** The lines of the rule, down to the one that decided, and what the rule saw of the competition. */
export function LinesCard({ lines }: PriceExplanation): React.JSX.Element | null {
  if (lines === null) return null;
  const { situation, since, each } = lines;
  return (
    <Section title="Lines">
      {situation !== null && (
        <p className="mb-3">
          Situation: <strong className="font-semibold">{situationWords(situation)}</strong>
          {since !== null && (
            <>
              {' '}
              since <MomentText iso={since} />
            </>
          )}
        </p>
      )}
      <TracedLines lines={each} />
    </Section>
  );
}

const PART_NAMES = {
  product: 'Product',
  shipping: 'Shipping',
  fulfillment: 'Fulfillment',
  packaging: 'Packaging',
  misc: 'Misc',
} as const;

/** The five parts of the cost. */
export function CostCard({ facts }: PriceExplanation): React.JSX.Element {
  return (
    <Section title="Cost">
      <Facts
        facts={[
          ...facts.cost.map(({ part, amount }) => ({ name: PART_NAMES[part], value: money(amount) })),
          { name: 'Total', value: <strong className="font-semibold">{money(facts.totalCost)}</strong> },
          ...(facts.weightOz === null ? [] : [{ name: 'Weight', value: `${facts.weightOz} oz` }]),
        ]}
      />
    </Section>
  );
}

/** The seller's own limits on the marketplace, those that are set. */
function marketplaceLimitFacts(
  limits: PriceExplanation['facts']['marketplaceLimits'],
  where: string,
): { readonly name: string; readonly value: React.ReactNode }[] {
  return [
    { name: `Minimum price on ${where}`, value: limits?.min ?? null },
    { name: `Maximum price on ${where}`, value: limits?.max ?? null },
    { name: `MAP price on ${where}`, value: limits?.map ?? null },
  ].flatMap(({ name, value }) => (value === null ? [] : [{ name, value: money(value) }]));
}

const CEILING_HINT =
  'Without a maximum price: 1.5 times the last manual or imported price, or 2 times the margin floor';

/** Fees, allowed prices, and the move range. */
export function LimitsCard({
  fees,
  allowed,
  moveRange,
  facts,
  channelGap,
  listing,
}: PriceExplanation): React.JSX.Element {
  return (
    <Section title="Limits">
      <Facts
        facts={[
          {
            name: 'Margin floor',
            value: money(allowed?.marginFloor ?? null),
            hint: 'Lowest price that keeps the minimum margin',
          },
          {
            name: 'Price ceiling',
            value: money(allowed?.priceCeiling ?? null),
            ...(facts.maxPrice === null && allowed !== null ? { hint: CEILING_HINT } : {}),
          },
          { name: 'Minimum price (yours)', value: money(facts.minPrice) },
          { name: 'Maximum price (yours)', value: money(facts.maxPrice) },
          ...marketplaceLimitFacts(facts.marketplaceLimits, MARKETPLACE_NAMES[listing.marketplace]),
          ...(facts.greatestDiscount === null
            ? []
            : [
                {
                  name: `Maximum discount on ${MARKETPLACE_NAMES[listing.marketplace]}`,
                  value: `${facts.greatestDiscount}%`,
                },
              ]),
          { name: 'Price 24 hours earlier', value: money(facts.priceDayAgo) },
          { name: 'Last manual or imported price', value: money(facts.anchorPrice) },
          { name: 'Shipping charge', value: money(facts.shippingCharge) },
          ...(moveRange === null
            ? []
            : [
                {
                  name: 'Allowed in one run',
                  value: `${formatMoney(moveRange.low)} to ${formatMoney(moveRange.high)}`,
                },
              ]),
          ...facts.elsewhere.map((own) => ({
            name: `Your price on ${MARKETPLACE_NAMES[own.marketplace]}`,
            value: ownPriceText(own),
          })),
        ]}
      />
      {allowed !== null && allowed.ranges.length > 1 && (
        <p className="-mx-4 mt-3 border-t px-4 pt-3 text-fg-muted">
          Allowed prices:{' '}
          {allowed.ranges.map(({ from, to }) => `${formatMoney(from)} to ${formatMoney(to)}`).join('; ')}
        </p>
      )}
      {channelGap !== null && <p className="-mx-4 mt-3 border-t px-4 pt-3 text-fg-muted">{channelGap}</p>}
      {fees !== null && <p className="-mx-4 mt-3 border-t px-4 pt-3 text-fg-muted">Fees: {fees.text}</p>}
    </Section>
  );
}

function ownPriceText({ price, shippingCharge }: PriceExplanation['facts']['elsewhere'][number]): string {
  const isFree = Number(shippingCharge) === 0;
  return isFree ? formatMoney(price) : `${formatMoney(price)} + ${formatMoney(shippingCharge)} shipping`;
}
