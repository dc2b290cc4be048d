import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Callout } from '#web/ui/callout.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { addressScope, copiedBefore } from './address-scope.ts';
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
      <Skeleton className="h-120" />
      <Skeleton className="h-120" />
    </div>
  );
}
