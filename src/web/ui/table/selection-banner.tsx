import { formatCount } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import type { TableSelection } from './use-selection.ts';

type SelectionBannerProps = {
  selection: TableSelection;
  /** Ids of the rows on this page. */
  shown: readonly string[];
  total: number;
};

/** Once the whole page is selected: offers to select everything that matches the filter. */
export function SelectionBanner({ selection, shown, total }: SelectionBannerProps): React.JSX.Element | null {
  const isMatching = selection.selected.kind === 'matching';
  const isWholePage = shown.length > 0 && shown.every(selection.has);
  if (!isMatching && (!isWholePage || total <= shown.length || selection.count >= total)) return null;
  return (
    <div className="flex flex-wrap items-center justify-center gap-x-3 gap-y-1 border-b bg-selected px-3 py-0.5 text-center print:hidden">
      {isMatching ? (
        <span>All {formatCount(selection.count)} matching this filter are selected.</span>
      ) : (
        <>
          <span>All {formatCount(shown.length)} on this page are selected.</span>
          <Button look="quiet" className="text-link" onClick={() => selection.selectMatching(total)}>
            Select all {formatCount(total)} matching this filter
          </Button>
        </>
      )}
    </div>
  );
}
