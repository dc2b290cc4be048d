import { Terminal } from 'lucide-react';
import { Card } from '#web/ui/card.tsx';

/** For a shop without listings: what can be done today, which is to reprice files from the command line. */
export function FirstSteps(): React.JSX.Element {
  return (
    <Card className="flex flex-col gap-4 p-6 sm:flex-row">
      <span className="grid size-10 shrink-0 place-items-center rounded-lg border text-link">
        <Terminal aria-hidden className="size-5" />
      </span>
      <div className="min-w-0">
        <h2 className="text-lg font-semibold">Reprice your first listings from CSV files</h2>
        <p className="mt-1 max-w-[70ch] text-fg-muted">
          There are no listings here yet. On the machine that runs Pricewright, the command line reads your
          listings, costs and rules from CSV files and writes one decision per listing: the new price, or why
          it stays as it is. It needs no database and changes nothing on a marketplace.
        </p>
        <pre className="mt-4 rounded-md border bg-canvas px-4 py-3 font-mono text-sm whitespace-pre-wrap">
          <code>pricewright reprice --listings listings.csv --skus skus.csv --rules rules.csv</code>
        </pre>
        <p className="mt-2 text-sm text-fg-muted">
          <code className="font-mono">pricewright reprice --help</code> explains every file and column.
        </p>
      </div>
    </Card>
  );
}
