import { useEffect, useRef } from 'react';
import { isFreeKey, isInField, isModalOpen } from './free-keys.ts';
import { isSingleKey, type KeyDefinition, keyText, matchesStroke } from './keys.ts';
import { readStored, STORAGE_KEYS, writeStored } from './storage.ts';
import { createPageStore } from './store.ts';

/** A key that acts while the component that registered it is mounted. */
export interface Shortcut {
  readonly definition: KeyDefinition;
  /** False: declined; the next shortcut for this key may handle it. */
  readonly run: (event: KeyboardEvent) => unknown;
  /** Its label here: "Create rule". */
  readonly label?: string;
  /** Called before all others, as for a layer on top. */
  readonly isFirst?: boolean;
}

/** The shortcuts of one component, as of its latest render. */
type Slot = { readonly current: readonly Shortcut[] };

const slots = createPageStore<readonly Slot[]>([]);
const singleKeys = createPageStore(true);
/** Milliseconds after the first key of a sequence for the second. */
const SEQUENCE_TIMEOUT_MS = 1_500;
const begun = createPageStore<{ readonly key: string; readonly at: number } | null>(null);

/** Whether single keys are on. */
export const useSingleKeys: () => boolean = singleKeys.use;

/** The keys that act now. */
export function useRegisteredShortcuts(): readonly Shortcut[] {
  return slots.use().flatMap(({ current }) => current);
}

/** Registers keys while the component is mounted. Of two for one key, the later one is called first. */
export function useShortcuts(given: readonly Shortcut[]): void {
  const slot = useRef(given);
  useEffect(() => {
    slot.current = given;
  });
  useEffect(() => addSlot(slot), []);
}

/** {@link useShortcuts} for one key. An undefined action does nothing. */
export function useShortcut(
  definition: KeyDefinition,
  run: ((event: KeyboardEvent) => unknown) | undefined,
  label?: string,
): void {
  useShortcuts(run === undefined ? [] : [{ definition, run, ...(label === undefined ? {} : { label }) }]);
}

/** Switches single keys on or off in this browser. */
export function switchSingleKeys(isOn: boolean): void {
  writeStored(STORAGE_KEYS.singleKeys, isOn ? 'on' : 'off');
  singleKeys.set(isOn);
}

/** The keys of a definition that act now, for a tooltip; null for none. */
export function useKeyText({ keys }: KeyDefinition): string | null {
  const isOn = useSingleKeys();
  const shown = keys.find((each) => isOn || !isSingleKey(each));
  return shown === undefined ? null : keyText(shown);
}

function addSlot(slot: Slot): () => void {
  if (slots.get().length === 0) {
    singleKeys.set(readStored(STORAGE_KEYS.singleKeys) !== 'off');
    document.addEventListener('keydown', onKey);
  }
  slots.set([...slots.get(), slot]);
  return () => {
    slots.set(slots.get().filter((each) => each !== slot));
    if (slots.get().length === 0) document.removeEventListener('keydown', onKey);
  };
}

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || event.key === 'Shift') return;
  const before = begun.get();
  const first = before !== null && event.timeStamp - before.at < SEQUENCE_TIMEOUT_MS ? before.key : null;
  begun.set(null);
  const latest = slots
    .get()
    .flatMap(({ current }) => current)
    .toReversed();
  const registered = [
    ...latest.filter(({ isFirst }) => isFirst === true),
    ...latest.filter(({ isFirst }) => isFirst !== true),
  ];
  const take = (isMeant: (keys: string) => boolean): boolean =>
    registered.some(
      ({ definition, run }) =>
        definition.keys.some((keys) => isMeant(keys) && isAllowed(definition, keys, event)) &&
        run(event) !== false,
    );
  const isTaken =
    (first !== null && take((keys) => isSecondOf(keys, first, event))) ||
    take((keys) => matchesStroke(event, keys));
  if (isTaken) event.preventDefault();
  else if (startsSequence(registered, event)) begun.set({ key: event.key, at: event.timeStamp });
}

/** Whether the press completes the sequence "G D" that started with this key. */
function isSecondOf(keys: string, first: string, event: KeyboardEvent): boolean {
  const [one, two] = keys.split(' ');
  return two !== undefined && one?.toLowerCase() === first.toLowerCase() && matchesStroke(event, two);
}

function isAllowed(definition: KeyDefinition, keys: string, event: KeyboardEvent): boolean {
  // Holding Ctrl+Z must not undo everything.
  if (event.repeat && definition.mayRepeat !== true) return false;
  if (isSingleKey(keys)) return singleKeys.get() && isFreeKey(event);
  if (!keys.includes('Mod+')) return isFreeKey(event);
  if (isModalOpen() && definition.inDialogs !== true) return false;
  return definition.inFields === true || !isInField(event);
}

function startsSequence(registered: readonly Shortcut[], event: KeyboardEvent): boolean {
  return registered.some(({ definition }) =>
    definition.keys.some((keys) => {
      const [one = '', two] = keys.split(' ');
      return two !== undefined && matchesStroke(event, one) && isAllowed(definition, keys, event);
    }),
  );
}
