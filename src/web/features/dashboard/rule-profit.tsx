import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import type { Profit } from '#contract/sales.ts';
import { countOf, formatCount, formatPercent } from '#web/lib/format.ts';
import { profitText, trendsOf } from '#web/lib/profit-text.ts';
import { Card } from '#web/ui/card.tsx';
import { CardHead } from '#web/ui/card-head.tsx';
import { Missing } from '#web/ui/money-text.tsx';
import { Cell, HeadCell, PlainTable } from '#web/ui/plain-table.tsx';
import { ruleFinding } from './chart-findings.ts';
import { ProfitChange } from './profit-change.tsx';
import type { Money } from './use-money.ts';

/** Rules shown; the Profit page lists all. */
const SHOWN = 6;

function rowsOf(profit: Profit | undefined): Profit['rows'] {
  return profit?.rows.filter(({ rule }) => rule !== null) ?? [];
}

/** Whether anything was sold at a rule's price. */
export function hasRuleProfit({ byRule }: Money): boolean {
  return rowsOf(byRule.data).length > 0;
}

/** What was sold at the prices of each rule, the most profit first, against the days before. */
export function RuleProfit({ money }: { money: Money }): React.JSX.Element {
  const headingId = useId();
  const { byRule, byRuleBefore, name } = money;
  const rows = rowsOf(byRule.data);
  const before = new Map(byRuleBefore.data?.rows.map((row) => [row.key, row]));
  return (
    <section aria-labelledby={headingId}>
      <Card className="h-full p-0 pb-1">
        <CardHead id={headingId} title={ruleFinding(rows)} caption={`${name} days, without today`}>
          <Link
            to="/profit"
            search={{ by: 'rule', period: name }}
            className="inline-flex min-h-10 items-center font-medium text-link hover:underline dense:min-h-6"
          >
            All rules
          </Link>
        </CardHead>
        <PlainTable caption="Sales and profit by rule" isBare>
          <thead>
            <tr>
              <HeadCell>Rule</HeadCell>
              <HeadCell numeric className="max-sm:hidden">
                Units
              </HeadCell>
              <HeadCell numeric className="max-sm:hidden">
                Margin
              </HeadCell>
              <HeadCell numeric>Profit</HeadCell>
              <HeadCell numeric>Change</HeadCell>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, SHOWN).map((row) => (
              <Row key={row.key} row={row} before={before.get(row.key)} />
            ))}
          </tbody>
        </PlainTable>
      </Card>
    </section>
  );
}

type ProfitRow = Profit['rows'][number];

function Row({ row, before }: { row: ProfitRow; before: ProfitRow | undefined }): React.JSX.Element {
  const { key, rule, units, margin, known, sales } = row;
  return (
    <tr>
      <Cell>
        {rule?.isDeleted === true ? (
          <span className="text-fg-muted">{rule.name} (deleted)</span>
        ) : (
          <Link
            to="/rules/$id"
            params={{ id: key }}
            className="inline-flex min-h-10 items-center font-medium hover:underline dense:min-h-6"
          >
            {rule?.name}
          </Link>
        )}
      </Cell>
      <Cell numeric className="max-sm:hidden">
        {formatCount(units)}
      </Cell>
      <Cell numeric className="max-sm:hidden">
        {margin === null ? <Missing /> : formatPercent(margin)}
      </Cell>
      <Cell numeric>
        <span className="font-semibold whitespace-nowrap">{profitText(row) ?? <Missing />}</span>
        {known < sales && (
          <span className="block text-xs text-fg-muted">
            {formatCount(known)} of {countOf(sales, 'sale', 'sales')}
          </span>
        )}
      </Cell>
      <Cell numeric>
        <ProfitChange change={trendsOf(before === undefined ? null : { now: row, before }).profit} />
      </Cell>
    </tr>
  );
}
