import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Download, Plus, Upload } from 'lucide-react';
import { useEffect } from 'react';
import { KEYS } from '#web/lib/keys.ts';
import { useLiveChanges } from '#web/lib/live-changes.ts';
import { useShortcut } from '#web/lib/shortcuts.ts';
import { buttonClasses } from '#web/ui/button.tsx';
import { Freshness } from '#web/ui/freshness.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Tip } from '#web/ui/tooltip.tsx';
import { FirstRule } from './first-rule.tsx';
import { ruleListQuery } from './queries.ts';
import { RuleTabs } from './rule-tabs.tsx';

/** The rules. */
export function RulesPage(): React.JSX.Element {
  const rules = useQuery(ruleListQuery);
  const navigate = useNavigate();
  const create = (): void => void navigate({ to: '/rules/new' });
  useFormerAddress();
  useCountsThatFollow(rules.refetch);
  useShortcut(KEYS.create, create, 'Create rule');
  return (
    <div className="flex flex-1 flex-col gap-3">
      <PageHeading title="Repricing Rules" subtitle="How your prices are set: one rule for each listing">
        <Freshness
          updatedAt={rules.dataUpdatedAt}
          refreshing={rules.isRefetching}
          onRefresh={rules.refetch}
        />
        {/* Also while they load, or the page would move once they are here. */}
        {rules.data?.rules.length !== 0 && (
          <a
            href="/api/rules/export.csv"
            download
            className={buttonClasses({ look: 'outline', phone: 'icon' })}
          >
            <Download aria-hidden />
            <span>Export rules</span>
          </a>
        )}
        <Link
          to="/imports/new"
          search={{ kind: 'rules' }}
          className={buttonClasses({ look: 'outline', phone: 'icon' })}
        >
          <Upload aria-hidden />
          <span>Import rules</span>
        </Link>
        <Tip text="Create Rule" shortcut={KEYS.create}>
          <Link to="/rules/new" className={buttonClasses({ look: 'primary', phone: 'icon' })}>
            <Plus aria-hidden />
            <span>Create Rule</span>
          </Link>
        </Tip>
      </PageHeading>
      <QueryView
        query={rules}
        loading={<RowSkeletons />}
        failed={(error, retry) => (
          <LoadFailed
            title="Failed to load the rules"
            error={error}
            onRetry={retry}
            retrying={rules.isFetching}
          />
        )}
      >
        {(list) => (list.rules.length === 0 ? <FirstRule /> : <RuleTabs rules={list.rules} />)}
      </QueryView>
    </div>
  );
}

/** The address that the editor had before it was a page of its own: bookmarks and links in old alerts keep working. */
function useFormerAddress(): void {
  const { rule, start }: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const navigate = useNavigate();
  useEffect(() => {
    if (typeof rule !== 'string') return;
    if (rule === 'new') {
      const search = typeof start === 'string' ? { start } : {};
      void navigate({ to: '/rules/new', search: search as never, replace: true });
    } else void navigate({ to: '/rules/$id', params: { id: rule }, search: {} as never, replace: true });
  }, [rule, start, navigate]);
}

// The number of a rule's listings changes with every run; cards and switches stay in place.
function useCountsThatFollow(refetch: (options: { cancelRefetch: boolean }) => unknown): void {
  const changes = useLiveChanges();
  useEffect(() => {
    if (changes.uncounted || changes.listings.size > 0) refetch({ cancelRefetch: false });
  }, [changes, refetch]);
}

function RowSkeletons(): React.JSX.Element {
  return (
    <div className="divide-y rounded-lg border bg-surface pt-18 shadow-card max-md:-mx-4 max-md:rounded-none max-md:border-x-0">
      {[1, 2, 3, 4].map((row) => (
        <div key={row} className="flex h-16 flex-col justify-center gap-2 px-4">
          <Skeleton className="h-3 w-1/3" />
          <Skeleton className="h-3 w-1/5" />
        </div>
      ))}
    </div>
  );
}
