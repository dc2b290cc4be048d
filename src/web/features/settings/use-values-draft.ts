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

/** The fields of the settings object: what is stored with the edits over it. */
export interface ValuesDraft {
  readonly stored: Settings;
  text(path: SettingPath): string;
  isOn(path: SettingPath): boolean;
  /** What is stored, whatever was edited. */
  storedValue(path: SettingPath): string | boolean;
  set(path: SettingPath, value: string | boolean): void;
  /** Of changed fields that cannot be saved as they are. */
  readonly problems: Readonly<Record<SettingPath, string>>;
  /** Names of the changed fields, as the page calls them. */
  readonly changed: readonly string[];
  /** Whether something of this part was changed: "veeqo". */
  isChanged(part: string): boolean;
  readonly edit: EditSettings;
  /** Forgets the edits that were sent, unless they were changed again meanwhile. */
  forget(sent: SettingValues): void;
  readonly edits: SettingValues;
  discard(): void;
}

/** Keeps unsaved edits apart from what is stored: after a save only edits made meanwhile are left. */
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
