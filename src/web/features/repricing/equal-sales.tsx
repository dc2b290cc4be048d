import { countOf, formatCount } from '#web/lib/format.ts';
import { SignedMoney } from '#web/ui/signed-money.tsx';

/** A sum at the same volume, in dollars a week, with the number of changes in it. */
interface Covered {
  /** Null where the amount of no change is known. */
  readonly equalSales: string | null;
  readonly equalSalesOf: number;
  readonly changes: number;
}

/** "of 3 of 5 changes" where the amounts of some changes are unknown; null where all or none are known. */
export function coverageOf({ equalSalesOf, changes }: Omit<Covered, 'equalSales'>): string | null {
  if (equalSalesOf === 0 || equalSalesOf >= changes) return null;
  return `of ${formatCount(equalSalesOf)} of ${countOf(changes, 'change', 'changes')}`;
}

/** What changes are worth at the same volume, and of how many of them where that is not all. */
export function EqualSales({ of }: { of: Covered }): React.JSX.Element {
  const coverage = coverageOf(of);
  return (
    <>
      <SignedMoney amount={of.equalSales} />
      {coverage !== null && <span className="text-sm text-fg-muted"> {coverage}</span>}
    </>
  );
}
