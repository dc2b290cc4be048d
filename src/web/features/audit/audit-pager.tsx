import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { AuditPage } from '#contract/audit.ts';
import { KEYS } from '#web/lib/keys.ts';
import { useShortcuts } from '#web/lib/shortcuts.ts';
import { Button } from '#web/ui/button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { AUDIT_LIST, type AuditState, type ChangeAudit, withFilter } from './queries.ts';

type AuditPagerProps = {
  state: AuditState;
  change: ChangeAudit;
  page: AuditPage | undefined;
  isBusy: boolean;
};

/** The foot of the log. It has no page numbers: rows are added above while somebody reads, and the log has no end. */
export function AuditPager({ state, change, page, isBusy }: AuditPagerProps): React.JSX.Element | null {
  const turn = (place: 'before' | 'after', cursor: string | null | undefined): boolean => {
    if (cursor === null || cursor === undefined || isBusy) return false;
    change({ filters: { ...withFilter(state, {}), [place]: cursor } });
    return true;
  };
  useShortcuts([
    { definition: KEYS.previousPage, run: () => turn('after', page?.newer) },
    { definition: KEYS.nextPage, run: () => turn('before', page?.older) },
  ]);
  const isElsewhere = state.filters.before !== undefined || state.filters.after !== undefined;
  if (page === undefined || (page.rows.length === 0 && !isElsewhere)) return null;
  return (
    <nav
      aria-label="Pages"
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 text-sm print:hidden"
    >
      <div className="flex items-center gap-2">
        <span aria-hidden className="text-fg-muted">
          Rows per page
        </span>
        <SelectField
          label="Rows per page"
          hideLabel
          compact
          options={AUDIT_LIST.sizes.map((each) => ({ value: String(each), label: String(each) }))}
          value={String(state.size)}
          onChange={(size) => change({ size: Number(size), filters: withFilter(state, {}) })}
        />
      </div>
      <div className="flex items-center gap-2">
        {isElsewhere && (
          <Button
            look="quiet"
            className="text-link"
            onClick={() => change({ filters: withFilter(state, {}) })}
          >
            Newest rows
          </Button>
        )}
        <IconButton
          look="outline"
          name="Newer rows"
          shortcut={KEYS.previousPage}
          disabled={page.newer === null}
          aria-disabled={isBusy || undefined}
          onClick={() => turn('after', page.newer)}
        >
          <ChevronLeft aria-hidden />
        </IconButton>
        <IconButton
          look="outline"
          name="Older rows"
          shortcut={KEYS.nextPage}
          disabled={page.older === null}
          aria-disabled={isBusy || undefined}
          onClick={() => turn('before', page.older)}
        >
          <ChevronRight aria-hidden />
        </IconButton>
      </div>
    </nav>
  );
}
