import {
  type QueryClient,
  queryOptions,
  type UseMutationResult,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { type ListingFilter, RulesOfListings } from '#contract/listings.ts';
import {
  DraftExplanation,
  Rule,
  RuleEarnings,
  type RuleForm,
  RuleImpact,
  RuleList,
  RulePreview,
  RuleScopeCounts,
  RulesChanged,
  RulesDeleted,
} from '#contract/rules.ts';
import { ApiError, call, errorText } from '#web/lib/api.ts';
import { countOf } from '#web/lib/format.ts';
import { queryText } from '#web/lib/list-state.ts';
import { reportUndoable } from '#web/lib/recent-actions-store.ts';
import { callWithStepUp, isDeclined } from '#web/lib/step-up.ts';
import { dismissToasts, toast } from '#web/lib/use-toast.ts';

/** Milliseconds until the engine has repriced the listings of a changed rule and the counts are right again. */
const RECOUNT_AFTER = 3_000;

const ruleKeys = {
  /** Other screens load rules under it too. */
  all: ['rules'] as const,
  list: ['rules', 'list'] as const,
  impact: (ids: readonly string[]) => ['rules', 'impact', ...ids] as const,
  /** Not under `all`: a saved rule does not make every preview again. */
  preview: ['rule preview'] as const,
};

/** Every rule, the oldest first. */
export const ruleListQuery = queryOptions({
  queryKey: ruleKeys.list,
  queryFn: () => call(RuleList, 'GET', '/api/rules'),
});

/** Which rules price these listings now. */
export const rulesOfListingsQuery = (filter: ListingFilter) =>
  queryOptions({
    queryKey: [...ruleKeys.all, 'of listings', filter],
    queryFn: () => call(RulesOfListings, 'GET', `/api/listings/rules${queryText(filter)}`),
  });

/** What the listings of a rule sold since its first price, against before. */
export const earningsQuery = (id: string) =>
  queryOptions({
    queryKey: ['rule earnings', id],
    queryFn: () => call(RuleEarnings, 'GET', `/api/rules/${id}/earnings`),
  });

/** The effect of pausing or deleting these rules. Never cached: it is shown right before. */
export const impactQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: ruleKeys.impact(ids),
    queryFn: () => call(RuleImpact, 'POST', '/api/rules/impact', { ids }),
    enabled: ids.length > 0,
    gcTime: 0,
    staleTime: 0,
  });

/** What a draft would do in place of rule `id`, or as a new one. Nothing is saved. An older call is aborted. */
export const previewQuery = (id: string | null, rule: RuleForm) =>
  queryOptions({
    queryKey: [...ruleKeys.preview, id, rule],
    queryFn: ({ signal }) => call(RulePreview, 'POST', '/api/rules/preview', { id, rule }, signal),
    // Prices, costs and offers change: what was seen long ago is not shown again.
    staleTime: 10_000,
    gcTime: 30_000,
    retry: false,
  });

/** The lines of a draft for one listing. */
export const listingTraceQuery = (id: string | null, rule: RuleForm, listingId: string) =>
  queryOptions({
    queryKey: [...ruleKeys.preview, 'trace', id, rule, listingId],
    queryFn: ({ signal }) =>
      call(DraftExplanation, 'POST', '/api/rules/explain', { id, rule, listingId }, signal),
    staleTime: 10_000,
    gcTime: 30_000,
    retry: false,
  });

/** The part of a rule that says for which listings and when it is, and in which order. */
export type ScopeOfForm = Pick<
  RuleForm,
  'marketplace' | 'fulfillmentType' | 'segment' | 'priority' | 'schedule'
>;

/** How many listings the scope of a draft matches and prices, and which rules have the others. */
export const scopeQuery = (id: string | null, rule: ScopeOfForm) =>
  queryOptions({
    queryKey: [...ruleKeys.preview, 'scope', id, rule],
    queryFn: ({ signal }) => call(RuleScopeCounts, 'POST', '/api/rules/scope', { id, rule }, signal),
    staleTime: 10_000,
    gcTime: 30_000,
    retry: false,
  });

export type SavedRule = RuleForm & { readonly previewToken?: string; readonly version?: number };

/** Saves a rule: a new one if `id` is null. The form shows the error. */
export function useSaveRule(id: string | null): UseMutationResult<Rule, Error, SavedRule> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (rule) =>
      id === null
        ? callWithStepUp(Rule, 'POST', '/api/rules', rule)
        : callWithStepUp(Rule, 'PUT', `/api/rules/${id}`, rule),
    onMutate: dismissToasts,
    onSuccess: async ({ name, isActive }) => {
      await refreshRules(client);
      const effect = isActive ? 'Its listings are being repriced now.' : 'It is paused, so no price changes.';
      toast(id === null ? 'Rule created' : 'Rule saved', `"${name}": ${effect}`);
    },
    onError: (error) => {
      // Another user changed rules: the cards and "Load the saved rule" need the current ones.
      if (error instanceof ApiError && error.status === 409) void refreshRules(client);
    },
  });
}

export type Switching = { readonly ids: readonly string[]; readonly isActive: boolean };

/** Enables or pauses rules. Shown at once, reverted if it fails, with Undo. */
export function useSwitchRules(): UseMutationResult<RulesChanged, Error, Switching, RuleList | undefined> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: sendSwitch,
    onMutate: async (switching) => {
      dismissToasts();
      await client.cancelQueries({ queryKey: ruleKeys.list });
      const before = client.getQueryData(ruleListQuery.queryKey);
      client.setQueryData(ruleListQuery.queryKey, (list) => list && switched(list, switching));
      return before;
    },
    onError: (error, _, before) => {
      if (before !== undefined) client.setQueryData(ruleListQuery.queryKey, before);
      if (!isDeclined(error)) toast('Could not change the rules', errorText(error), 'destructive');
    },
    onSuccess: async ({ ids }, { isActive }) => {
      // All of them were in that state already: there is nothing to report or undo.
      if (ids.length === 0) return refreshRules(client);
      const did = `${countOf(ids.length, 'rule', 'rules')} ${isActive ? 'enabled' : 'disabled'}.`;
      reportUndoable({
        title: isActive ? 'Rules Enabled' : 'Rules Disabled',
        text: did,
        undo: () => undoRuleChange(client, () => sendSwitch({ ids, isActive: !isActive })),
      });
      await refreshRules(client);
    },
  });
}

/** Deletes rules; their rows stay in the database, so Undo restores them. */
export function useDeleteRules(): UseMutationResult<RulesDeleted, Error, readonly string[]> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (ids) => callWithStepUp(RulesDeleted, 'POST', '/api/rules/delete', { ids }),
    onMutate: dismissToasts,
    onError: (error) => toast('Could not delete the rules', errorText(error), 'destructive'),
    onSuccess: async ({ ids, impact }) => {
      const did = `${countOf(ids.length, 'rule', 'rules')} deleted. ${countOf(impact.listings, 'listing', 'listings')} affected.`;
      reportUndoable({
        title: 'Rules Deleted',
        text: did,
        undo: () =>
          undoRuleChange(client, () => callWithStepUp(RulesChanged, 'POST', '/api/rules/undelete', { ids })),
      });
      await refreshRules(client);
    },
  });
}

function sendSwitch(switching: Switching): Promise<RulesChanged> {
  return callWithStepUp(RulesChanged, 'POST', '/api/rules/active', switching);
}

async function undoRuleChange(
  client: QueryClient,
  action: () => Promise<RulesChanged>,
): Promise<{ title: string; text: string }> {
  try {
    const { ids } = await action();
    return { title: 'Undone', text: `${countOf(ids.length, 'rule is', 'rules are')} as before.` };
  } finally {
    await refreshRules(client);
  }
}

async function refreshRules(client: QueryClient): Promise<void> {
  setTimeout(() => void client.invalidateQueries({ queryKey: ruleKeys.all }), RECOUNT_AFTER);
  await client.invalidateQueries({ queryKey: ruleKeys.all });
}

function switched({ rules, ...more }: RuleList, { ids, isActive }: Switching): RuleList {
  return { ...more, rules: rules.map((rule) => (ids.includes(rule.id) ? { ...rule, isActive } : rule)) };
}
