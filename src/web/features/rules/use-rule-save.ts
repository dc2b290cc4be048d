import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { ListedRule } from '#contract/rules.ts';
import { isDeclined } from '#web/lib/step-up.ts';
import { useSaveRule } from './queries.ts';
import { differencesBetween, type RuleDifference } from './rule-differences.ts';
import { draftOf, formOf, type RuleDraft } from './rule-draft.ts';
import { isOfOldPreview } from './save-failed.tsx';
import { useStoreZone, zoneName } from './store-time.ts';
import type { DraftPreview } from './use-draft-preview.ts';
import { useServerErrors } from './use-form-errors.ts';

/** The save of a rule, conditional on the version that was opened. */
export interface RuleSave {
  readonly isPending: boolean;
  /** Why the last save failed; null if it did not, or if step-up was declined. */
  readonly error: Error | null;
  /** Fields changed by another save; null while the saved rule is loading. */
  readonly differences: readonly RuleDifference[] | null;
  readonly send: () => void;
  /** Saves the form over the other save. */
  readonly keepMine: () => void;
  /** Loads the other save into the form. */
  readonly loadStored: () => void;
}

type RuleSaveInput = {
  /** The saved rule: reloaded after a conflict. Null for a new one. */
  rule: ListedRule | null;
  form: UseFormReturn<RuleDraft>;
  preview: DraftPreview;
  /** @param id of the saved rule */
  onSaved: (id: string) => void;
};

export function useRuleSave({ rule, form, preview, onSaved }: RuleSaveInput): RuleSave {
  // Not a version that arrives while typing.
  const [version, setVersion] = useState(rule?.version);
  const save = useSaveRule(rule?.id ?? null);
  const zone = zoneName(useStoreZone());
  useServerErrors(form, save.error);
  const sendOver = (over: number | undefined): void => {
    void form.handleSubmit((draft) => {
      const token = preview.isCurrent ? preview.shown?.token : undefined;
      const sent = {
        ...formOf(draft),
        ...(over === undefined ? {} : { version: over }),
        ...(token === undefined ? {} : { previewToken: token }),
      };
      save.mutate(sent, {
        onSuccess: ({ id }) => onSaved(id),
        onError: (error) => {
          if (isOfOldPreview(error)) preview.retry();
        },
      });
    })();
  };
  const isReadAgain = rule !== null && rule.version !== version;
  return {
    isPending: save.isPending,
    error: save.error !== null && !isDeclined(save.error) ? save.error : null,
    differences: isReadAgain ? differencesBetween(form.getValues(), draftOf(rule), zone) : null,
    send: () => sendOver(version),
    keepMine: () => {
      setVersion(rule?.version);
      sendOver(rule?.version);
    },
    loadStored: () => {
      if (rule === null) return;
      form.reset(draftOf(rule));
      setVersion(rule.version);
      save.reset();
    },
  };
}
