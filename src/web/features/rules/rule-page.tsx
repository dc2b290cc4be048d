import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Callout } from '#web/ui/callout.tsx';
import { Card } from '#web/ui/card.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { addressScope, copiedBefore } from './address-scope.ts';
import { PreviewSkeleton } from './preview-skeleton.tsx';
import { ruleListQuery } from './queries.ts';
import { EDITOR_COLUMNS, RuleEditor } from './rule-editor.tsx';
import { RuleStateBadge } from './rule-state-badge.tsx';

/** A new rule, from a template or for some listings if the address names them. */
export function NewRulePage(): React.JSX.Element {
  return <RulePage id={null} />;
}

/** A stored rule. */
export function EditRulePage(): React.JSX.Element {
  const { id }: { id?: string } = useParams({ strict: false });
  return <RulePage id={id ?? ''} />;
}

function RulePage({ id }: { id: string | null }): React.JSX.Element {
  const rules = useQuery(ruleListQuery);
  const navigate = useNavigate();
  const here: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const copied = copiedBefore(here);
  const rule = rules.data?.rules.find((each) => each.id === id) ?? null;
  const title = id === null ? 'Create Rule' : (rule?.name ?? 'Rule');
  return (
    <div className="flex flex-1 flex-col gap-2">
      <PageHeading
        title={title}
        badge={rule === null ? undefined : <RuleStateBadge isActive={rule.isActive} />}
      />
      <QueryView
        query={rules}
        loading={<FormSkeleton />}
        failed={(error, retry) => (
          <LoadFailed
            title="Failed to load the rules"
            error={error}
            onRetry={retry}
            retrying={rules.isFetching}
          />
        )}
      >
        {() =>
          id !== null && rule === null ? (
            <Callout tone="info" title="This rule no longer exists">
              <p className="text-fg-muted">It may have been deleted.</p>
              <Link to="/rules" className="mt-2 inline-block font-medium text-link hover:underline">
                See all rules
              </Link>
            </Callout>
          ) : (
            <RuleEditor
              key={id ?? `new ${copied.ids.join()}`}
              rule={rule}
              start={here.start}
              scope={id === null ? addressScope(here) : null}
              rules={rules.data?.rules ?? []}
              copied={copied}
              onSaved={(copy, made) => {
                if (copy?.hasMore !== true) void navigate({ to: '/rules' });
                else {
                  const search = {
                    ...here,
                    copied: [...copied.ids, copy.id, made].join(),
                    points: copy.points,
                  };
                  void navigate({ to: '/rules/new', search: search as never });
                }
              }}
              onClose={() => void navigate({ to: '/rules' })}
            />
          )
        }
      </QueryView>
    </div>
  );
}

function FormSkeleton(): React.JSX.Element {
  return (
    <div className={EDITOR_COLUMNS}>
      <Card className="flex h-120 flex-col gap-3">
        <Skeleton className="h-3 w-12" />
        <div className="h-9 rounded-md border" />
        <Skeleton className="h-3 w-24" />
        <div className="grid grid-cols-2 gap-2 *:h-13 *:rounded-md *:border">
          {['match', 'beat', 'fixed', 'dynamic'].map((strategy) => (
            <div key={strategy} />
          ))}
        </div>
        <div className="grid grid-cols-2 gap-4">
          <Skeleton className="h-3 w-20" />
          <Skeleton className="h-3 w-28" />
          <div className="h-11 rounded-md border" />
          <div className="h-11 rounded-md border" />
        </div>
      </Card>
      <Card className="h-120 px-0">
        <Skeleton className="mx-4 mb-5 h-3 w-14" />
        <PreviewSkeleton />
      </Card>
    </div>
  );
}
