import { Link } from '@tanstack/react-router';
import { FileUp, SearchX, Tags } from 'lucide-react';
import { Button, buttonClasses } from '#web/ui/button.tsx';

const BOX = 'flex flex-col items-center gap-4 px-4 py-12 text-center';

/** Before the first import: what appears here, why it helps, and how to start. */
export function FirstListings(): React.JSX.Element {
  return (
    <div className={BOX}>
      <span className="grid size-12 place-items-center rounded-xl border bg-surface text-link">
        <Tags aria-hidden className="size-6" />
      </span>
      <div>
        <h2 className="text-md font-semibold">No listings yet</h2>
        <p className="mx-auto mt-1 max-w-[60ch] text-fg-muted">
          See every listing with its price, competitors, cost and margin. Import a CSV file or a marketplace
          report; you review the changes before anything is saved.
        </p>
      </div>
      <div className="flex flex-wrap items-center justify-center gap-3">
        <Link to="/imports/new" search={{ kind: 'listings' }} className={buttonClasses()}>
          <FileUp aria-hidden />
          Import listings
        </Link>
        <a href="/api/imports/template/listings.csv" download className={buttonClasses({ look: 'outline' })}>
          Download CSV template
        </a>
      </div>
    </div>
  );
}

/** No match for a search or filter. */
export function NoMatches({ onClear }: { onClear: () => void }): React.JSX.Element {
  return (
    <div className={BOX}>
      <SearchX aria-hidden className="size-6 text-fg-muted" />
      <p>No listings match this search and these filters.</p>
      <Button look="outline" onClick={onClear}>
        Clear filters
      </Button>
    </div>
  );
}
