import type { AuditPage } from '#contract/audit.ts';
import { Button } from '#web/ui/button.tsx';
import { ListFoot, TurnButtons } from '#web/ui/list-foot.tsx';
import { AUDIT_LIST, type AuditState, type ChangeAudit, withFilter } from './queries.ts';

type AuditPagerProps = {
  state: AuditState;
  change: ChangeAudit;
  page: AuditPage | undefined;
  isBusy: boolean;
};

/** The foot of the log. No page numbers: rows are added at the top while reading. */
export function AuditPager({ state, change, page, isBusy }: AuditPagerProps): React.JSX.Element | null {
  const to = (place: 'before' | 'after', cursor: string | null): (() => void) | null =>
    cursor === null ? null : () => change({ filters: { ...withFilter(state, {}), [place]: cursor } });
  const isElsewhere = state.filters.before !== undefined || state.filters.after !== undefined;
  if (page === undefined || (page.rows.length === 0 && !isElsewhere)) return null;
  return (
    <ListFoot
      size={state.size}
      sizes={AUDIT_LIST.sizes}
      onSize={(size) => change({ size, filters: withFilter(state, {}) })}
    >
      {isElsewhere && (
        <Button look="quiet" className="text-link" onClick={() => change({ filters: withFilter(state, {}) })}>
          Newest rows
        </Button>
      )}
      <TurnButtons
        back={{ name: 'Newer rows', go: to('after', page.newer) }}
        on={{ name: 'Older rows', go: to('before', page.older) }}
        isBusy={isBusy}
      />
    </ListFoot>
  );
}
