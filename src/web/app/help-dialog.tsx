import { KEY_GROUPS, KEYS, type KeyDefinition, type KeyGroup, keyText } from '#web/lib/keys.ts';
import {
  type Shortcut,
  switchSingleKeys,
  useRegisteredShortcuts,
  useSingleKeys,
} from '#web/lib/shortcuts.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Switch } from '#web/ui/switch.tsx';

/** Lists every keyboard shortcut, with the labels of the current page, and the switch for single keys. */
export function HelpDialog({ onClose }: { onClose: () => void }): React.JSX.Element {
  const registered = useRegisteredShortcuts();
  const isOn = useSingleKeys();
  const definitions = allDefinitions(registered);
  return (
    <Dialog open onClose={onClose} title="Keyboard shortcuts" size="large">
      <div className="mb-4 flex flex-col gap-1 rounded-lg border px-4 py-2 print:hidden">
        <Switch label="Single keys" checked={isOn} onChange={switchSingleKeys} className="-ml-1" />
        <p className="text-sm text-fg-muted">
          Keys without Ctrl or Cmd, such as J or G then D. They do nothing while you type or while a dialog is
          open. You can turn them off; this browser remembers your choice.
        </p>
      </div>
      <div className="grid gap-x-8 gap-y-6 md:grid-cols-2">
        {KEY_GROUPS.map((group) => (
          <Group
            key={group}
            group={group}
            definitions={definitions.filter((each) => each.group === group)}
            registered={registered}
          />
        ))}
      </div>
    </Dialog>
  );
}

/** All shortcuts, and those of the screens this user may open. */
function allDefinitions(registered: readonly Shortcut[]): readonly KeyDefinition[] {
  const known: readonly KeyDefinition[] = Object.values(KEYS);
  const others = registered.map(({ definition }) => definition).filter((each) => !known.includes(each));
  return [...known, ...others];
}

type GroupProps = {
  group: KeyGroup;
  definitions: readonly KeyDefinition[];
  registered: readonly Shortcut[];
};

function Group({ group, definitions, registered }: GroupProps): React.JSX.Element {
  return (
    <section aria-label={group} className="break-inside-avoid">
      <h3 className="mb-1 text-sm font-medium text-fg-muted">{group}</h3>
      <dl className="divide-y">
        {definitions.map((definition) => (
          <div key={definition.keys.join()} className="flex items-center justify-between gap-4 py-1.5">
            <dt>{keyLabel(definition, registered)}</dt>
            <dd className="flex shrink-0 flex-wrap justify-end gap-1">
              {definition.keys.map((keys) => (
                <kbd key={keys} className="rounded-sm border bg-hover px-1.5 font-mono text-sm">
                  {keyText(keys)}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

// "Create rule" on Rules, "Create" on other pages.
function keyLabel(definition: KeyDefinition, registered: readonly Shortcut[]): string {
  return registered.findLast((each) => each.definition === definition)?.label ?? definition.label;
}
