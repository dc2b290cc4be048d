import type { RunPreview } from '#contract/run-preview.ts';
import { parseBps } from '#domain/decimal.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { percentText } from '#domain/text.ts';
import { countOf, formatCount, formatMoney, formatPercent } from '#web/lib/format.ts';
import { Callout } from '#web/ui/callout.tsx';
import { NotAvailable } from '#web/ui/not-available.tsx';
import { Cell, HeadCell, PlainTable } from '#web/ui/plain-table.tsx';
import { changesOn, moneyText } from './forecast-text.ts';

type PlanViewProps = {
  plan: RunPreview;
  /** The marketplaces that go live; the preview also covers the live ones. */
  marketplaces: readonly Marketplace[];
  /** These are all marketplaces. The preview counts every listing either way. */
  isWholeShop: boolean;
};

/** The preview of the next run: counts, circuit breaker, and the largest changes. */
export function PlanView({ plan, marketplaces, isWholeShop }: PlanViewProps): React.JSX.Element {
  const elsewhere = plan.changes - changesOn(marketplaces, plan);
  const where = isWholeShop ? '' : ' on all marketplaces';
  return (
    <>
      <dl className="grid grid-cols-2 gap-2 sm:grid-cols-4">
        <Figure
          label="Price changes"
          value={plan.changes}
          note={`of ${countOf(plan.evaluated, 'listing', 'listings')}${where}`}
        />
        <Figure label="Raised" value={plan.raised} note={byDepth(plan.rose, plan)} />
        <Figure label="Lowered" value={plan.lowered} note={byDepth(plan.dropped, plan)} />
        <Figure label="At margin floor" value={plan.atMarginFloor} />
      </dl>
      {plan.forecasts.map((forecast) => {
        const money = marketplaces.includes(forecast.marketplace) ? moneyText(forecast) : null;
        return (
          money !== null && (
            <p key={forecast.marketplace}>
              {MARKETPLACE_NAMES[forecast.marketplace]}: {money}
            </p>
          )
        );
      })}
      {elsewhere > 0 && (
        <p className="text-fg-muted">
          {formatCount(elsewhere)} of these {elsewhere === 1 ? 'changes is' : 'changes are'} on marketplaces
          that are already live.
        </p>
      )}
      {plan.blocked > 0 && (
        <p className="text-fg-muted">
          {countOf(plan.blocked, 'listing', 'listings')}
          {where} cannot be priced because data is missing.
        </p>
      )}
      {plan.recommended > 0 && (
        <p className="text-fg-muted">
          {countOf(plan.recommended, 'new price', 'new prices')}
          {where} {plan.recommended === 1 ? 'needs' : 'need'} review.
        </p>
      )}
      {plan.breaker === null ? (
        <p className="text-fg-muted">The circuit breaker would allow this run.</p>
      ) : (
        <Callout tone="danger" title="The circuit breaker would stop this run">
          <p className="text-fg-muted">
            {plan.breaker} Because you reviewed it, a run with exactly these changes is allowed.
          </p>
        </Callout>
      )}
      {plan.fallen.count > 0 && <FallenFloors plan={plan} />}
      {plan.rows.length > 0 && <LargestMoves plan={plan} />}
    </>
  );
}

function byDepth(count: number, { dropDepth }: RunPreview): string {
  const depth = parseBps(dropDepth);
  return depth === null ? formatCount(count) : `${formatCount(count)} by ${percentText(depth)} or more`;
}

function Figure(props: { label: string; value: number; note?: string }): React.JSX.Element {
  return (
    <div className="rounded-lg border px-3 py-2">
      <dt className="text-sm text-fg-muted">{props.label}</dt>
      <dd className="text-xl font-semibold tabular-nums">{formatCount(props.value)}</dd>
      {props.note !== undefined && <dd className="text-xs text-fg-muted">{props.note}</dd>}
    </div>
  );
}

/** Costs changed in recommend-only mode were not previewed then. */
function FallenFloors({ plan: { fallen } }: { plan: RunPreview }): React.JSX.Element {
  const isAll = fallen.worst.length === fallen.count;
  const title = `Lowest allowed prices fell on ${countOf(fallen.count, 'listing', 'listings')}`;
  return (
    <Callout tone="danger" title={title}>
      <p className="mb-2 text-fg-muted">
        They fell by more than 20% since this marketplace was last live. Check costs and minimum prices
        {isAll ? '' : `; the ${fallen.worst.length} largest drops are shown`}. Going live asks for your
        password and is recorded in the audit log.
      </p>
      <PlainTable caption={title}>
        <thead>
          <tr>
            <HeadCell>Listing</HeadCell>
            <HeadCell numeric>Then</HeadCell>
            <HeadCell numeric>Now</HeadCell>
          </tr>
        </thead>
        <tbody>
          {fallen.worst.map(({ listingId, marketplace, sku, from, to }) => (
            <tr key={listingId}>
              <Cell>
                {MARKETPLACE_NAMES[marketplace]}, <span className="font-mono">{sku}</span>
              </Cell>
              <Cell numeric>{formatMoney(from)}</Cell>
              <Cell numeric className="font-medium">
                {formatMoney(to)}
              </Cell>
            </tr>
          ))}
        </tbody>
      </PlainTable>
    </Callout>
  );
}

function LargestMoves({ plan }: { plan: RunPreview }): React.JSX.Element {
  const isAll = plan.rows.length === plan.changes;
  const largest = plan.rows.length === 1 ? 'The largest change' : `The ${plan.rows.length} largest changes`;
  const title = isAll ? 'All changes, largest first' : largest;
  return (
    <div>
      <h3 className="mb-2 font-semibold">{title}</h3>
      <PlainTable caption={title}>
        <thead>
          <tr>
            <HeadCell>Listing</HeadCell>
            <HeadCell numeric>Price now</HeadCell>
            <HeadCell numeric>New price</HeadCell>
            <HeadCell numeric>Margin now</HeadCell>
            <HeadCell numeric>Margin after</HeadCell>
          </tr>
        </thead>
        <tbody>
          {plan.rows.map((row) => (
            <tr key={row.listingId}>
              <Cell>
                <span className="block max-w-32 truncate sm:max-w-72" title={row.title}>
                  {row.title}
                </span>
                <span className="text-sm text-fg-muted">
                  {MARKETPLACE_NAMES[row.marketplace]}, <span className="font-mono">{row.sku}</span>
                </span>
              </Cell>
              <Cell numeric>{formatMoney(row.oldPrice)}</Cell>
              <Cell numeric className="font-medium">
                {formatMoney(row.newPrice)}
              </Cell>
              <Cell numeric>
                {row.marginBefore === null ? <NotAvailable /> : formatPercent(row.marginBefore)}
              </Cell>
              <Cell numeric>
                {row.marginAfter === null ? <NotAvailable /> : formatPercent(row.marginAfter)}
              </Cell>
            </tr>
          ))}
        </tbody>
      </PlainTable>
    </div>
  );
}
