import { ListFilter } from 'lucide-react';
import { useId, useState } from 'react';
import { MOBILE, useMediaQuery } from '#web/lib/use-media-query.ts';
import { Button } from '#web/ui/button.tsx';

type FoldedFiltersProps = {
  /** How many of them are set. */
  count: number;
  children: React.ReactNode;
};

/** The filters of a toolbar. On a phone they are behind a button: each would be a row above the first entry. */
export function FoldedFilters({ count, children }: FoldedFiltersProps): React.JSX.Element {
  const isMobile = useMediaQuery(MOBILE);
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  if (!isMobile) return <>{children}</>;
  return (
    <>
      <Button look="outline" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
        <ListFilter aria-hidden />
        {count === 0 ? 'Filters' : `Filters (${count})`}
      </Button>
      <div id={id} hidden={!isOpen} className="basis-full">
        {isOpen && <div className="flex flex-wrap gap-1.5">{children}</div>}
      </div>
    </>
  );
}
