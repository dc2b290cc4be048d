import type { RuleForm, RulePreview } from '#contract/rules.ts';
import { announce } from '#web/lib/announce.ts';
import { countOf } from '#web/lib/format.ts';
import { usePreviewRule } from './queries.ts';
import { formOf, type RuleDraft } from './rule-draft.ts';

/** What a draft would do, as far as somebody has asked. */
export interface DraftPreview {
  /** The last answer; null before the first. */
  readonly shown: RulePreview | null;
  /** Whether the answer is about what is typed now. */
  readonly isCurrent: boolean;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly show: (rule: RuleForm) => void;
}

/** @param id the stored rule that the draft stands in for; null for a new one */
export function useDraftPreview(id: string | null, draft: RuleDraft): DraftPreview {
  const preview = usePreviewRule();
  const asked = preview.variables?.rule;
  return {
    shown: preview.data ?? null,
    isCurrent:
      preview.data !== undefined && asked !== undefined && effectOf(asked) === effectOf(formOf(draft)),
    isPending: preview.isPending,
    error: preview.error,
    show: (rule) =>
      preview.mutate(
        { id, rule },
        {
          onSuccess: ({ listings }) =>
            announce(`This rule prices ${countOf(listings, 'listing', 'listings')}.`),
        },
      ),
  };
}

/** Two drafts with the same text do the same: a name moves no price, and a paused draft is looked at as if active. */
function effectOf({ name: _, isActive: __, ...effect }: RuleForm): string {
  return JSON.stringify(effect);
}
