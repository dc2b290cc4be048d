import { useCallback, useState } from 'react';
import type { Marketplace } from '#domain/marketplaces.ts';
import { ApiError } from '#web/lib/api.ts';
import { focusFirstError } from '#web/lib/focus-first-error.ts';
import { isDeclined } from '#web/lib/step-up.ts';
import { useUrlParams } from '#web/lib/url-params.ts';
import { toast } from '#web/lib/use-toast.ts';
import { type StoredSettings, useSaveSettings } from './queries.ts';
import { marketplaceIn, type SettingPath, type SettingValues } from './settings-values.ts';
import { type SettingsDraft, useSettingsDraft } from './use-settings-draft.ts';
import { useValuesDraft, type ValuesDraft } from './use-values-draft.ts';

/** The whole page as one form, which may need several calls to save. */
export interface SettingsForm {
  readonly values: ValuesDraft;
  readonly draft: SettingsDraft;
  /** Labels of all changed fields. */
  readonly changed: readonly string[];
  readonly save: ReturnType<typeof useSaveSettings>;
  /** Errors of the settings: found here, or returned by the server. */
  readonly errors: Readonly<Record<SettingPath, string>>;
  /** The marketplace of the field that prevented the save, until it is visible. */
  readonly wrong: Marketplace | null;
  readonly onShown: () => void;
  submit(): void;
  discard(): void;
}

export function useSettingsForm(stored: StoredSettings): SettingsForm {
  const values = useValuesDraft(stored.settings);
  const draft = useSettingsDraft(stored);
  const save = useSaveSettings(values.forget);
  const { set } = useUrlParams();
  const [wrong, setWrong] = useState<Marketplace | null>(null);
  const onShown = useCallback(() => setWrong(null), []);
  const showFirst = (fields: Readonly<Record<string, string>>): void => {
    const marketplace = Object.keys(fields).map(marketplaceIn).find(Boolean);
    if (marketplace === undefined) {
      focusFirstError();
      return;
    }
    setWrong(marketplace);
    set({ marketplace }, true);
  };
  const changed = [...values.changed, ...draft.changed];
  const submit = (): void => {
    if (save.isPending || changed.length === 0) return;
    if (draft.change === null || Object.keys(values.problems).length > 0) {
      showFirst(values.problems);
      return;
    }
    const { limits, sellers } = draft.change;
    const isSent = values.changed.length > 0;
    save.mutate(
      { settings: isSent ? values.edit : null, limits, sellers, sent: values.edits },
      {
        onSuccess: () => toast('Settings saved', 'Your settings have been saved successfully.'),
        onError: (error) => {
          // The fields keep the typed text; "Save" asks again.
          if (isDeclined(error)) return save.reset();
          toast('Error', 'Failed to save settings. Please try again.', 'destructive');
          const fields = fieldsOf(error);
          if (Object.keys(fields).length > 0) showFirst(fields);
        },
      },
    );
  };
  return {
    values,
    draft,
    changed,
    save,
    wrong,
    onShown,
    submit,
    errors: { ...stillRefused(save.error, values.edits, save.variables?.sent), ...values.problems },
    discard: () => {
      values.discard();
      draft.discard();
      save.reset();
    },
  };
}

function fieldsOf(error: Error | null): Readonly<Record<string, string>> {
  return error instanceof ApiError ? error.fields : {};
}

/** Server errors of fields not changed afterwards. */
function stillRefused(
  error: Error | null,
  edits: SettingValues,
  sent: SettingValues = {},
): Record<SettingPath, string> {
  return Object.fromEntries(Object.entries(fieldsOf(error)).filter(([path]) => edits[path] === sent[path]));
}
