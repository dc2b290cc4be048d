import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { ListedRule } from '#contract/rules.ts';
import { isDeclined } from '#web/lib/step-up.ts';
import { useSaveRule } from './queries.ts';
import { differencesBetween, type RuleDifference } from './rule-differences.ts';
import { draftOf, formOf, type RuleDraft } from './rule-draft.ts';
import type { DraftPreview } from './use-draft-preview.ts';
import { useServerErrors } from './use-form-errors.ts';

/** The save of a rule, held to the version that was opened. */
export interface RuleSave {
  readonly isPending: boolean;
  /** Why the last save was refused; null when it was not, or when the password was not given. */
  readonly error: Error | null;
  /** What another save left different from the form; null while the saved rule is being read again. */
  readonly differences: readonly RuleDifference[] | null;
  readonly send: () => void;
  /** Saves the form over what was saved meanwhile. */
  readonly keepMine: () => void;
  /** Puts what was saved meanwhile into the form. */
  readonly loadStored: () => void;
}

type RuleSaveInput = {
  /** As it is saved now: read again after a conflict. Null for a new one. */
  rule: ListedRule | null;
  form: UseFormReturn<RuleDraft>;
  preview: DraftPreview;
  onSaved: () => void;
};

export function useRuleSave({ rule, form, preview, onSaved }: RuleSaveInput): RuleSave {
  // Not the version that arrives while somebody types.
  const [version, setVersion] = useState(rule?.version);
  const save = useSaveRule(rule?.id ?? null);
  useServerErrors(form, save.error);
  const sendOver = (over: number | undefined): void => {
    void form.handleSubmit((draft) => {
      const token = preview.isCurrent ? preview.shown?.token : undefined;
      const sent = {
        ...formOf(draft),
        ...(over === undefined ? {} : { version: over }),
        ...(token === undefined ? {} : { previewToken: token }),
      };
      save.mutate(sent, { onSuccess: onSaved });
    })();
  };
  const isReadAgain = rule !== null && rule.version !== version;
  return {
    isPending: save.isPending,
    error: save.error !== null && !isDeclined(save.error) ? save.error : null,
    differences: isReadAgain ? differencesBetween(form.getValues(), draftOf(rule)) : null,
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
