import { Link } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { countOf, formatClock } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { useDownloadPriceFile, useMarkUploaded } from './price-file-queries.ts';

type UploadSectionProps = {
  marketplace: Marketplace;
  count: number;
  /** Called when a link is followed. */
  onFollow: () => void;
};

/**
 * Prices to upload as a file. Only a downloaded file can be marked as uploaded, and only the prices in it:
 * a price applied a moment later stays marked, or it would never reach the marketplace.
 */
export function UploadSection({ marketplace, count, onFollow }: UploadSectionProps): React.JSX.Element {
  const file = useDownloadPriceFile();
  const markUploaded = useMarkUploaded();
  const name = MARKETPLACE_NAMES[marketplace];
  const upTo = file.data?.upTo ?? '';
  const excludedCount = file.data?.excludedCount ?? 0;
  return (
    <div className="flex flex-col items-start gap-2 border-t pt-4">
      <h3 className="font-semibold">{countOf(count, 'price', 'prices')} to upload</h3>
      <p className="text-fg-muted">
        {name} is not connected. Download the price file, upload it to {name}, then mark it as uploaded here.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button
          look="outline"
          onClick={() => file.mutate({ marketplace, name: `${marketplace}-prices.csv` })}
          pending={file.isPending}
          pendingText="Downloading..."
        >
          <Download aria-hidden />
          Download price file
        </Button>
        {upTo !== '' && (
          <Button
            onClick={() => markUploaded.mutate({ marketplace, upTo }, { onSuccess: file.reset })}
            pending={markUploaded.isPending}
            pendingText="Marking..."
          >
            Mark the {formatClock(Date.parse(upTo))} file as uploaded
          </Button>
        )}
      </div>
      {excludedCount > 0 && (
        <p role="status">
          <Link
            to="/listings"
            search={{ state: 'below_floor', marketplace }}
            onClick={onFollow}
            className="rounded-sm text-link underline"
          >
            {countOf(excludedCount, 'price is', 'prices are')} not in the file
          </Link>
          : below the margin floor at current costs, or with a cost or fee missing.
        </p>
      )}
    </div>
  );
}
