import type { RuleForm, RulePreview } from '#contract/rules.ts';
import { announce } from '#web/lib/announce.ts';
import { countOf } from '#web/lib/format.ts';
import { usePreviewRule } from './queries.ts';
import { formOf, type RuleDraft } from './rule-draft.ts';

/** The preview of a draft, loaded on request. */
export interface DraftPreview {
  /** The latest result; null before the first. */
  readonly shown: RulePreview | null;
  /** Whether the result belongs to the current draft. */
  readonly isCurrent: boolean;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly show: (rule: RuleForm) => void;
}

/** @param id the stored rule the draft replaces; null for a new one */
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

/** Drafts with the same text have the same effect: a name moves no price, and a paused draft is previewed as active. */
function effectOf({ name: _, isActive: __, ...effect }: RuleForm): string {
  return JSON.stringify(effect);
}
