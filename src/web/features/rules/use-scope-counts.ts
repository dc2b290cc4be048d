import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { CountRuleScope, type RuleScopeCounts } from '#contract/rules.ts';
import { useDebounced } from '#web/lib/use-debounced.ts';
import { type ScopeOfForm, scopeQuery } from './queries.ts';
import { formOf, type RuleDraft } from './rule-draft.ts';

/** Milliseconds without an edit until the counts follow it. */
const PAUSE = 400;

/** The counts of a draft's scope, which follow every edit. */
export interface ScopeCounts {
  /** The latest; null before the first. */
  readonly shown: RuleScopeCounts | null;
  /** Whether they belong to the current draft. */
  readonly isCurrent: boolean;
  readonly error: Error | null;
}

/** @param id the stored rule the draft replaces; null for a new one */
export function useScopeCounts(id: string | null, draft: RuleDraft): ScopeCounts {
  const scope = scopeOfForm(draft);
  const isReadable = CountRuleScope.safeParse({ id, rule: scope }).success;
  const current = isReadable ? JSON.stringify(scope) : null;
  const settled = useDebounced(current, PAUSE);
  const query = useQuery({
    ...scopeQuery(id, settled === null ? scope : (JSON.parse(settled) as ScopeOfForm)),
    enabled: settled !== null,
    placeholderData: keepPreviousData,
  });
  return {
    shown: query.data ?? null,
    isCurrent: current !== null && current === settled && query.isSuccess && !query.isPlaceholderData,
    error: current !== null && current === settled ? query.error : null,
  };
}

function scopeOfForm(draft: RuleDraft): ScopeOfForm {
  const { marketplace, fulfillmentType, segment, priority, schedule } = formOf(draft);
  return { marketplace, fulfillmentType, segment, priority, schedule };
}
