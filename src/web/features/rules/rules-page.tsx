import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Plus, Upload } from 'lucide-react';
import { useEffect } from 'react';
import type { ListedRule } from '#contract/rules.ts';
import { KEYS } from '#web/lib/keys.ts';
import { useLiveChanges } from '#web/lib/live-changes.ts';
import { useShortcut } from '#web/lib/shortcuts.ts';
import { buttonClasses } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { Freshness } from '#web/ui/freshness.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Tip } from '#web/ui/tooltip.tsx';
import { FirstRule } from './first-rule.tsx';
import { ruleListQuery } from './queries.ts';
import { RuleEditor } from './rule-editor.tsx';
import { RuleTabs } from './rule-tabs.tsx';

/** The rules, and the editor over them if the address has ?rule=new or ?rule=ID. */
export function RulesPage(): React.JSX.Element {
  const rules = useQuery(ruleListQuery);
  const navigate = useNavigate();
  const create = (): void =>
    void navigate({
      to: '.',
      search: (now: Record<string, unknown>) => ({ ...now, rule: 'new' }),
      resetScroll: false,
    });
  useCountsThatFollow(rules.refetch);
  useShortcut(KEYS.create, create, 'Create rule');
  return (
    <div className="flex flex-1 flex-col gap-6">
      <PageHeading
        title="Repricing Rules"
        subtitle="How your prices are set. Each listing uses one rule: the one assigned to it, or the most specific match."
      >
        <Freshness
          updatedAt={rules.dataUpdatedAt}
          refreshing={rules.isRefetching}
          onRefresh={rules.refetch}
        />
        <Link to="/imports/new" search={{ kind: 'rules' }} className={buttonClasses({ look: 'outline' })}>
          <Upload aria-hidden />
          Import rules
        </Link>
        <Tip text="Create Rule" shortcut={KEYS.create}>
          <Link
            to="/rules"
            search={(now: Record<string, unknown>) => ({ ...now, rule: 'new' })}
            resetScroll={false}
            className={buttonClasses({ look: 'primary' })}
          >
            <Plus aria-hidden />
            Create Rule
          </Link>
        </Tip>
      </PageHeading>
      <QueryView
        query={rules}
        loading={<CardSkeletons />}
        failed={(error, retry) => (
          <LoadFailed
            title="Failed to load the rules"
            error={error}
            onRetry={retry}
            retrying={rules.isFetching}
          />
        )}
      >
        {(list) => (
          <>
            <OpenRule rules={list.rules} />
            {list.rules.length === 0 ? <FirstRule /> : <RuleTabs rules={list.rules} />}
          </>
        )}
      </QueryView>
    </div>
  );
}

/** The editor in the address. */
function OpenRule({ rules }: { rules: readonly ListedRule[] }): React.JSX.Element | null {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const close = (): void => {
    void navigate({
      to: '.',
      search: ({ rule: _, start: __, ...rest }: Record<string, unknown>) => rest,
      resetScroll: false,
    });
  };
  const { rule: asked, start } = search;
  if (typeof asked !== 'string') return null;
  const rule = rules.find(({ id }) => id === asked) ?? null;
  if (asked !== 'new' && rule === null) {
    return (
      <Callout tone="info" title="This rule no longer exists">
        <p className="text-fg-muted">It may have been deleted. The list below is up to date.</p>
      </Callout>
    );
  }
  return <RuleEditor key={`${asked} ${start}`} rule={rule} rules={rules} start={start} onClose={close} />;
}

// The number of a rule's listings changes with every run; cards and switches stay in place.
function useCountsThatFollow(refetch: (options: { cancelRefetch: boolean }) => unknown): void {
  const changes = useLiveChanges();
  useEffect(() => {
    if (changes.uncounted || changes.listings.size > 0) refetch({ cancelRefetch: false });
  }, [changes, refetch]);
}

function CardSkeletons(): React.JSX.Element {
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      {[1, 2, 3, 4].map((card) => (
        <Skeleton key={card} className="h-48" />
      ))}
    </div>
  );
}
