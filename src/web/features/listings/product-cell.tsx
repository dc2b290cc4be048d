import { useState } from 'react';
import type { ListingRow } from '#contract/listings.ts';
import { classNames } from '#web/lib/class-names.ts';
import { Tip } from '#web/ui/tooltip.tsx';
import { badgeOf, ListingStateBadge } from './listing-badges.tsx';

/** 30 px, 40 in comfortable rows. */
const IN_TABLE = 'size-7.5 in-data-[density=comfortable]:size-10';

/** Image and title, and below them the badge. */
export function ProductCell({ row }: { row: ListingRow }): React.JSX.Element {
  const badge = badgeOf(row);
  return (
    <div className="flex items-center gap-2">
      <ProductImage url={row.imageUrl} title={row.title} inTable />
      <div className="min-w-0 flex-1">
        <Tip text={row.title}>
          <span className={classNames('block leading-tight', badge === null ? 'line-clamp-2' : 'truncate')}>
            {row.title}
          </span>
        </Tip>
        {badge !== null && <ListingStateBadge badge={badge} />}
      </div>
    </div>
  );
}

type ProductImageProps = {
  url: string | null;
  title: string;
  /** As low as a row is. */
  inTable?: boolean;
};

/**
 * A tile with the initials of the product, covered by its image once that has loaded. 40 by 40, or as high as the row;
 * the title is next to it. Only https addresses are shown, and images that load.
 */
export function ProductImage({ url, title, inTable = false }: ProductImageProps): React.JSX.Element {
  const [failedUrl, setFailedUrl] = useState<string | null>(null);
  const isShown = url?.startsWith('https://') === true && url !== failedUrl;
  return (
    <span
      className={classNames(
        'relative grid shrink-0 place-items-center overflow-hidden rounded-[6px] bg-tile print:hidden',
        inTable ? IN_TABLE : 'size-10',
      )}
    >
      <span aria-hidden className="text-2xs font-semibold text-fg-muted">
        {initialsOf(title)}
      </span>
      {isShown && (
        <img
          src={url}
          alt=""
          width={40}
          height={40}
          loading="lazy"
          referrerPolicy="no-referrer"
          onError={() => setFailedUrl(url)}
          className="absolute inset-0 size-full object-contain"
        />
      )}
    </span>
  );
}

/** "FM" of "Fernwood Merino scarf". */
function initialsOf(title: string): string {
  return (title.match(/[\p{L}\p{N}]+/gu) ?? [])
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase() ?? '')
    .join('');
}
