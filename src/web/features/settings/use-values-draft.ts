import { useState } from 'react';
import type { EditSettings, Settings } from '#contract/settings.ts';
import {
  editOf,
  intervalOf,
  problemOf,
  SETTING_LABELS,
  type SettingPath,
  type SettingValues,
  valuesOf,
} from './settings-values.ts';

/** The fields of the settings: the stored values with the edits applied. */
export interface ValuesDraft {
  readonly stored: Settings;
  text(path: SettingPath): string;
  isOn(path: SettingPath): boolean;
  /** The stored values, without edits. */
  storedValue(path: SettingPath): string | boolean;
  set(path: SettingPath, value: string | boolean): void;
  /** Errors of changed fields. */
  readonly problems: Readonly<Record<SettingPath, string>>;
  /** Labels of the changed fields. */
  readonly changed: readonly string[];
  /** Whether this field has an edit. */
  isFieldChanged(path: SettingPath): boolean;
  /** Whether this part has edits: "veeqo". */
  isChanged(part: string): boolean;
  readonly edit: EditSettings;
  /** Discards the sent edits, unless they were changed again during the save. */
  forget(sent: SettingValues): void;
  readonly edits: SettingValues;
  discard(): void;
}

/** Keeps unsaved edits apart from the stored values: after a save only edits made during it remain. */
export function useValuesDraft(settings: Settings): ValuesDraft {
  const [edits, setEdits] = useState<SettingValues>({});
  const stored = valuesOf(settings);
  const values = { ...stored, ...edits };
  const isDifferent = (path: SettingPath): boolean =>
    path === 'checkInterval'
      ? intervalOf(String(values[path])) !== settings.checkInterval
      : (values[path] ?? '') !== (stored[path] ?? '');
  const changed = Object.keys(edits).filter(isDifferent);
  return {
    stored: settings,
    text: (path) => String(values[path] ?? ''),
    isOn: (path) => values[path] === true,
    storedValue: (path) => stored[path] ?? '',
    set: (path, value) => setEdits((old) => ({ ...old, [path]: value })),
    problems: Object.fromEntries(
      changed.flatMap((path) => {
        const problem = problemOf(path, values[path] ?? '');
        return problem === null ? [] : [[path, problem]];
      }),
    ),
    changed: [...SETTING_LABELS].flatMap(([path, label]) => (changed.includes(path) ? [label] : [])),
    isFieldChanged: (path) => changed.includes(path),
    isChanged: (part) => changed.some((path) => path.startsWith(`${part}.`)),
    edit: editOf(values, settings.version),
    edits,
    forget: (sent) =>
      setEdits((now) =>
        Object.fromEntries(Object.entries(now).filter(([path, value]) => sent[path] !== value)),
      ),
    discard: () => setEdits({}),
  };
}
