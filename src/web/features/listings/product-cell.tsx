import { ImageOff } from 'lucide-react';
import { useState } from 'react';
import type { ListingRow } from '#contract/listings.ts';
import { classNames } from '#web/lib/class-names.ts';
import { Tip } from '#web/ui/tooltip.tsx';
import { badgesOf, ListingBadges } from './listing-badges.tsx';

/** 32 px, 40 in comfortable rows. */
const IN_TABLE = 'size-8 in-data-[density=comfortable]:size-10';

/** Image and title, and below them the badges. */
export function ProductCell({ row }: { row: ListingRow }): React.JSX.Element {
  const marks = badgesOf(row);
  return (
    <div className="flex items-center gap-2">
      <ProductImage url={row.imageUrl} inTable />
      <div className="@container min-w-0 flex-1">
        <Tip text={row.title}>
          <span className={classNames('block leading-tight', marks.length > 0 ? 'truncate' : 'line-clamp-2')}>
            {row.title}
          </span>
        </Tip>
        <ListingBadges marks={marks} inTable />
      </div>
    </div>
  );
}

type ProductImageProps = {
  url: string | null;
  /** As low as a row is. */
  inTable?: boolean;
};

/** 40 by 40, or as high as the row; its title is next to it. Only https addresses are shown, and images that load. */
export function ProductImage({ url, inTable = false }: ProductImageProps): React.JSX.Element {
  const [failedUrl, setFailedUrl] = useState<string | null>(null);
  const size = inTable ? IN_TABLE : 'size-10';
  if (url?.startsWith('https://') && url !== failedUrl) {
    return (
      <img
        src={url}
        alt=""
        width={40}
        height={40}
        loading="lazy"
        referrerPolicy="no-referrer"
        onError={() => setFailedUrl(url)}
        className={classNames('shrink-0 rounded-md border bg-canvas object-contain print:hidden', size)}
      />
    );
  }
  return (
    <span
      aria-hidden
      className={classNames(
        'grid shrink-0 place-items-center rounded-md border bg-canvas text-fg-muted print:hidden',
        size,
      )}
    >
      <ImageOff className="size-4" />
    </span>
  );
}
