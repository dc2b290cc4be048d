import { FileUp, Package, Plus, SearchX } from 'lucide-react';
import { Button, buttonClasses } from '#web/ui/button.tsx';

const BOX = 'flex flex-col items-center gap-4 px-4 py-12 text-center';

/** Before the first SKU: what appears here, why it helps, and how to start. */
export function FirstSkus(props: { onAdd: () => void; onImport: () => void }): React.JSX.Element {
  return (
    <div className={BOX}>
      <span className="grid size-12 place-items-center rounded-xl border bg-surface text-link">
        <Package aria-hidden className="size-6" />
      </span>
      <div>
        <h2 className="text-md font-semibold">No SKUs found. Add a new SKU or sync from Veeqo.</h2>
        <p className="mx-auto mt-1 max-w-[60ch] text-fg-muted">
          SKUs hold the cost and weight of each product. Listings are matched by SKU; without a cost, a
          listing cannot be repriced.
        </p>
      </div>
      <div className="flex flex-wrap items-center justify-center gap-3">
        <Button look="outline" onClick={props.onImport}>
          <FileUp aria-hidden />
          Import SKUs
        </Button>
        <Button look="outline" onClick={props.onAdd}>
          <Plus aria-hidden />
          Add the first SKU
        </Button>
        <a href="/api/imports/template/skus.csv" download className={buttonClasses({ look: 'outline' })}>
          Download CSV template
        </a>
      </div>
    </div>
  );
}

/** No results of a search. */
export function NoMatches({ q, onClear }: { q: string; onClear: () => void }): React.JSX.Element {
  return (
    <div className={BOX}>
      <SearchX aria-hidden className="size-6 text-fg-muted" />
      <div>
        <p>No SKUs found matching your search</p>
        {q !== '' && (
          <p className="text-fg-muted">
            Searched for <q className="font-medium break-all">{q}</q> in SKU and name.
          </p>
        )}
      </div>
      <Button look="outline" onClick={onClear}>
        Show all SKUs
      </Button>
    </div>
  );
}
