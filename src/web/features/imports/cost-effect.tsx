import type { CostEffect, Import } from '#contract/imports.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { countOf, formatCount, formatMoney } from '#web/lib/format.ts';
import { Card } from '#web/ui/card.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { NotAvailable } from '#web/ui/not-available.tsx';
import { Cell, HeadCell, PlainTable } from '#web/ui/plain-table.tsx';
import type { ImportDraft } from './import-draft.ts';

const BOUNDED = 'max-h-80 overflow-y-auto [&_th]:sticky [&_th]:top-0 [&_th]:bg-surface';

type CostEffectCardProps = {
  effect: CostEffect;
  draft: ImportDraft;
  onChange: (patch: Partial<ImportDraft>) => void;
};

/** What changed costs do to listings, and costs that change so much that they need a review. */
export function CostEffectCard({ effect, draft, onChange }: CostEffectCardProps): React.JSX.Element {
  const { listings, rules, fallingCount, unknownCount, falling, jumpCount, jumps } = effect;
  return (
    <Card className="flex flex-col gap-4">
      <div>
        <h2 className="text-md font-semibold">Effect of these costs on your prices</h2>
        <p className="max-w-[70ch] text-fg-muted">
          The cost of {countOf(listings, 'listing', 'listings')} changes.{' '}
          {fallingCount === 0
            ? 'None falls below its margin floor, or further below it.'
            : `${countOf(fallingCount, 'listing falls', 'listings fall')} below the margin floor at today's price, or further below it.`}
          {unknownCount > 0 &&
            ` The cost of ${countOf(unknownCount, 'listing becomes', 'listings become')} unknown: not repriced until you enter it.`}
        </p>
        {rules.length > 0 && (
          <p className="max-w-[70ch] text-fg-muted">
            Priced by {rules.map(({ name, listings: many }) => `${name} (${formatCount(many)})`).join(', ')}.
          </p>
        )}
      </div>
      {falling.length > 0 && <FallingTable falling={falling} />}
      {falling.length < fallingCount && (
        <p className="text-sm text-fg-muted">The {falling.length} with the largest drop below it.</p>
      )}
      {jumpCount > 0 && (
        <>
          <h3 className="font-semibold">
            {countOf(jumpCount, 'cost or weight changes', 'costs or weights change')} by a factor of 3 or more
          </h3>
          <JumpTable jumps={jumps} />
          <Checkbox
            label={
              jumpCount === 1
                ? 'I checked it and it is correct'
                : `I checked all ${jumpCount} and they are correct`
            }
            checked={draft.jumps === jumpCount}
            onChange={(isRight) => onChange({ jumps: isRight ? jumpCount : 0 })}
          />
        </>
      )}
    </Card>
  );
}

function FallingTable({ falling }: Pick<CostEffect, 'falling'>): React.JSX.Element {
  return (
    <PlainTable caption="Listings that fall below their margin floor" className={BOUNDED}>
      <thead>
        <tr>
          <HeadCell>Listing</HeadCell>
          <HeadCell numeric>Your Price</HeadCell>
          <HeadCell numeric>Margin floor</HeadCell>
          <HeadCell numeric>Margin %</HeadCell>
        </tr>
      </thead>
      <tbody>
        {falling.map((each) => (
          <tr key={`${each.marketplace} ${each.sku}`}>
            <Cell>
              <span className="font-mono text-sm">{each.sku}</span> on {MARKETPLACE_NAMES[each.marketplace]}
              <span className="block max-w-80 truncate text-sm text-fg-muted">{each.title}</span>
            </Cell>
            <Cell numeric>{formatMoney(each.currentPrice)}</Cell>
            <Cell numeric>
              <Became
                from={each.floorBefore === null ? null : formatMoney(each.floorBefore)}
                to={formatMoney(each.floorAfter)}
              />
            </Cell>
            <Cell numeric>
              <Became from={percentText(each.marginBefore)} to={percentText(each.marginAfter)} />
            </Cell>
          </tr>
        ))}
      </tbody>
    </PlainTable>
  );
}

function JumpTable({ jumps }: Pick<CostEffect, 'jumps'>): React.JSX.Element {
  return (
    <PlainTable caption="Costs and weights that change a lot" className={BOUNDED}>
      <thead>
        <tr>
          <HeadCell>SKU</HeadCell>
          <HeadCell>What</HeadCell>
          <HeadCell numeric>Old and new</HeadCell>
        </tr>
      </thead>
      <tbody>
        {jumps.map(({ sku, name, field, from, to }) => (
          <tr key={`${sku} ${field}`}>
            <Cell>
              <span className="font-mono text-sm">{sku}</span>
              <span className="block max-w-80 truncate text-sm text-fg-muted">{name}</span>
            </Cell>
            <Cell>{field === 'weight' ? 'Weight (oz)' : 'Product Cost'}</Cell>
            <Cell numeric>
              <Became
                from={field === 'weight' ? from : formatMoney(from)}
                to={field === 'weight' ? to : formatMoney(to)}
              />
            </Cell>
          </tr>
        ))}
      </tbody>
    </PlainTable>
  );
}

function Became({ from, to }: { from: string | null; to: string | null }): React.JSX.Element {
  return (
    <>
      {from ?? <NotAvailable />}
      <span className="text-fg-muted">
        <span aria-hidden> → </span>
        <span className="sr-only"> becomes </span>
      </span>
      <span className="font-medium">{to ?? <NotAvailable />}</span>
    </>
  );
}

function percentText(percent: string | null): string | null {
  return percent === null ? null : `${Number(percent).toFixed(1).replace('-', '\u2212')}%`;
}

/** Whether costs that change a lot still need a review. */
export function hasUnseenJumps({ effect }: Pick<Import, 'effect'>, { jumps }: ImportDraft): boolean {
  return (effect?.jumpCount ?? 0) !== jumps;
}
