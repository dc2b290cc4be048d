import { useQuery } from '@tanstack/react-query';
import { CircleAlert, CircleCheck, Clock } from 'lucide-react';
import { useState } from 'react';
import type { SaleDetail } from '#contract/sales.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { countOf, formatMoney } from '#web/lib/format.ts';
import { formatMoment } from '#web/lib/moments.ts';
import { MONEY_KIND_LABELS } from '#web/lib/money-labels.ts';
import { sumOf } from '#web/lib/money-sums.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { MoneyText } from '#web/ui/money-text.tsx';
import { Cell, HeadCell, PlainTable } from '#web/ui/plain-table.tsx';
import { PageSpinner } from '#web/ui/spinner.tsx';
import { RestockForm } from './restock-form.tsx';
import { saleQuery } from './sale-queries.ts';

type SaleDialogProps = { id: string; onClose: () => void };

/** A sale: what was estimated and what was reported of it, what it earned, and goods that came back. */
export function SaleDialog({ id, onClose }: SaleDialogProps): React.JSX.Element {
  const [outdated, setOutdated] = useState<string | null>();
  const query = useQuery(saleQuery(id, outdated));
  const sale = query.data;
  return (
    <Dialog
      open
      onClose={onClose}
      title={sale === undefined ? 'Sale' : `Sale of ${sale.sku}`}
      description={sale === undefined ? undefined : subtitleOf(sale)}
      footer={
        <Button look="outline" onClick={onClose}>
          Close
        </Button>
      }
    >
      {sale === undefined && query.error === null && <PageSpinner label="Loading the sale" />}
      {query.error !== null && (
        <LoadFailed
          title="Failed to load the sale"
          error={query.error}
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
        />
      )}
      {sale !== undefined && (
        <div className="flex flex-col gap-6">
          <Fees sale={sale} />
          {isReturnedBeyond(sale) && (
            <Callout tone="danger" title="More was paid back than the buyer paid">
              All of it counts. Compare the returns of this order on {MARKETPLACE_NAMES[sale.marketplace]}.
            </Callout>
          )}
          <Earned sale={sale} isOutdated={outdated !== undefined && sale.computedAt === outdated} />
          {isReturned(sale) && <RestockForm sale={sale} onSaved={() => setOutdated(sale.computedAt)} />}
        </div>
      )}
    </Dialog>
  );
}

function subtitleOf({ marketplace, saleDate, orderRef, quantitySold }: SaleDetail): string {
  const parts = [
    MARKETPLACE_NAMES[marketplace],
    formatMoment(saleDate, 'short'),
    ...(orderRef === null ? [] : [`order ${orderRef}`]),
    countOf(quantitySold, 'unit', 'units'),
  ];
  return parts.join(' · ');
}

/** Something was refunded, or goods came back. */
function isReturned({ restocked, parts }: SaleDetail): boolean {
  return restocked > 0 || parts.some(({ kind, told }) => kind.startsWith('refund') && told !== null);
}

/** More was paid back than was paid for the sale with its shipping, corrections included. */
function isReturnedBeyond({ parts, totalRevenue, shippingRevenue, adjustment }: SaleDetail): boolean {
  const back = parts.filter(({ kind }) => kind === 'refund_principal' || kind === 'refund_shipping');
  return Number(sumOf([totalRevenue, shippingRevenue, adjustment, ...back.map(({ told }) => told)])) < 0;
}

/** What was booked and what was expected, kind by kind. */
function Fees({ sale }: { sale: SaleDetail }): React.JSX.Element {
  if (sale.parts.length === 0) {
    return <p className="text-fg-muted">Nothing was booked for this sale yet, and no fee is estimated.</p>;
  }
  return (
    <section className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="font-semibold">Paid and charged by {MARKETPLACE_NAMES[sale.marketplace]}</h3>
        {sale.reconciliation !== null && <SaleBadge reconciliation={sale.reconciliation} />}
        {sale.isPending && <span className="text-sm text-fg-muted">Not all of it is released yet.</span>}
      </div>
      <PlainTable caption="Estimated and charged, by kind">
        <thead>
          <tr>
            <HeadCell>What for</HeadCell>
            <HeadCell numeric>Estimated</HeadCell>
            <HeadCell numeric>Charged</HeadCell>
            <HeadCell className="max-md:hidden">Difference</HeadCell>
          </tr>
        </thead>
        <tbody>
          {sale.parts.map((part) => (
            <tr key={part.kind}>
              <Cell>{MONEY_KIND_LABELS[part.kind]}</Cell>
              <Cell numeric className="whitespace-nowrap">
                <MoneyText amount={part.estimated} />
              </Cell>
              <Cell numeric className="whitespace-nowrap">
                <MoneyText amount={part.told} />
                {/* A narrow screen has no room for a column of it. */}
                <span className="block text-xs whitespace-normal text-fg-muted md:hidden">
                  {differenceText(part)}
                </span>
              </Cell>
              <Cell className="whitespace-nowrap max-md:hidden">{differenceText(part)}</Cell>
            </tr>
          ))}
        </tbody>
      </PlainTable>
    </section>
  );
}

const SALE_TEXTS = {
  matching: { tone: 'success', icon: CircleCheck, text: 'As estimated' },
  differs: { tone: 'warning', icon: CircleAlert, text: 'Differs from the estimate' },
  waiting: { tone: 'neutral', icon: Clock, text: 'Not all fees reported yet' },
} as const;

function SaleBadge({ reconciliation }: { reconciliation: NonNullable<SaleDetail['reconciliation']> }) {
  const { tone, icon, text } = SALE_TEXTS[reconciliation];
  return (
    <Badge tone={tone} icon={icon}>
      {text}
    </Badge>
  );
}

function differenceText({ reconciliation, estimated, told }: SaleDetail['parts'][number]): string {
  if (reconciliation === null) return '';
  if (reconciliation === 'waiting') return 'not reported yet';
  if (reconciliation === 'matching') return 'none';
  const cents = Math.round(100 * Number(told ?? '0')) - Math.round(100 * Number(estimated));
  const amount = formatMoney((Math.abs(cents) / 100).toFixed(2));
  return cents < 0 ? `${amount} more charged` : `${amount} less charged`;
}

const FEE_LABELS = {
  told: 'Fees',
  partly_told: 'Fees, partly reported',
  estimated: 'Fees, estimated',
} as const;

/** From what the buyer paid to the profit. */
function Earned({ sale, isOutdated }: { sale: SaleDetail; isOutdated: boolean }): React.JSX.Element {
  const { shippingRevenue, adjustment, ads, refunds, unitCost, quantitySold } = sale;
  const rows: readonly (readonly [label: string, amount: string | null, isShown: boolean])[] = [
    ['Revenue', sale.totalRevenue, true],
    ['Shipping paid by the buyer', shippingRevenue, Number(shippingRevenue) !== 0],
    ['Corrections and funded discounts', adjustment, adjustment !== null],
    [sale.marketplaceFees === null ? 'Fees' : FEE_LABELS[sale.state], negative(sale.marketplaceFees), true],
    ['Advertising', negative(ads), ads !== null],
    [
      quantitySold > 1 ? `Product cost, ${quantitySold} units` : 'Product cost',
      goodsCost(unitCost, quantitySold),
      true,
    ],
    ['Shipping cost', negative(sale.shippingCost), true],
    ['Returns', negative(refunds), refunds !== null],
  ];
  return (
    <section className="flex flex-col gap-2">
      <h3 className="font-semibold">What it earned</h3>
      <dl className="grid grid-cols-[1fr_auto] gap-x-6 gap-y-1 text-sm">
        {rows
          .filter(([, , isShown]) => isShown)
          .map(([label, amount]) => (
            <div key={label} className="contents">
              <dt className="text-fg-muted">{label}</dt>
              <dd className="text-right">
                <MoneyText amount={amount} />
              </dd>
            </div>
          ))}
        <div className="contents font-semibold">
          <dt>Profit</dt>
          <dd className="text-right" aria-busy={isOutdated}>
            {isOutdated ? 'Calculating...' : <Profit sale={sale} />}
          </dd>
        </div>
      </dl>
    </section>
  );
}

function Profit({ sale: { totalMargin, isAbout } }: { sale: SaleDetail }): React.JSX.Element {
  return (
    <>
      {totalMargin !== null && isAbout && 'about '}
      <MoneyText amount={totalMargin} />
    </>
  );
}

function negative(amount: string | null): string | null {
  return amount === null ? null : (-Number(amount) + 0).toFixed(2);
}

function goodsCost(unitCost: string | null, quantity: number): string | null {
  return unitCost === null ? null : (-(Math.round(100 * Number(unitCost)) * quantity) / 100 + 0).toFixed(2);
}
