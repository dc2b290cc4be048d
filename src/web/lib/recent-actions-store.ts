import { announce } from './announce.ts';
import { errorText } from './api.ts';
import { StepUpDeclined } from './step-up.ts';
import { createPageStore } from './store.ts';
import { dismissToasts, toast } from './use-toast.ts';

/** Title and sentence of a message. */
type Told = { readonly title: string; readonly text: string };

/** Something that was done and can be taken back. */
export interface Reversible extends Told {
  /** Takes it back; it must not need the screen that did it. @returns what to say then; null for nothing of its own */
  readonly undo: () => Promise<Told | null>;
  /** What it was done to, where the sentence does not say: a SKU. */
  readonly about?: string;
  /** Title of the message when that fails; "Undo failed" unless given. */
  readonly failed?: string;
}

type ActionState = 'done' | 'undoing' | 'undone' | 'failed';

export interface RecentAction extends Reversible {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly state: ActionState;
  /** Why it could not be taken back, or what came of taking it back; null for nothing to say. */
  readonly why: string | null;
}

/** What is done cannot be taken back; the message says why, as a sentence for people. */
export class UndoRefused extends Error {
  override readonly name = 'UndoRefused';
}

/** Milliseconds: what is older is history, and others may have built on it. */
export const UNDO_WITHIN = 3_600_000;
const TOO_OLD = 'It is more than one hour old. Change it back by hand.';
const REMEMBERED = 20;

const actions = createPageStore<readonly RecentAction[]>([]);
const lastId = createPageStore(0);

/** The newest first. */
export const useRecentActions: () => readonly RecentAction[] = actions.use;

/** An action that was told and may still grow, as a series of values typed down a column. */
export interface ToldAction {
  /** Says what it is by now. @returns false when it can no longer grow: it is taken back, or forgotten */
  readonly retell: (text: string) => boolean;
}

/** Says what was done and offers Undo: in the message, under "Recent actions", and on Ctrl+Z. */
export function tellUndoable(action: Reversible): ToldAction {
  const id = lastId.get() + 1;
  lastId.set(id);
  const say = (text: string): void =>
    toast(action.title, text, 'neutral', { label: 'Undo', run: () => void undoAction(id) });
  const entry: RecentAction = { ...action, id, at: Date.now(), state: 'done', why: null };
  actions.set([entry, ...actions.get()].slice(0, REMEMBERED));
  say(action.text);
  return {
    retell: (text) => {
      if (actions.get().find((each) => each.id === id)?.state !== 'done') return false;
      change(id, { state: 'done', text, at: Date.now() });
      say(text);
      return true;
    },
  };
}

/** Takes back one action. Of one that is taken back already, or is being, nothing more comes. */
export async function undoAction(id: number): Promise<void> {
  const action = actions.get().find((each) => each.id === id);
  if (action === undefined || action.state === 'undoing' || action.state === 'undone') return;
  if (isTooOld(action, Date.now())) return fail(action, TOO_OLD);
  change(id, { state: 'undoing', why: null });
  try {
    const told = await action.undo();
    change(id, { state: 'undone', why: told?.text ?? null });
    if (told !== null) return toast(told.title, told.text);
    // The message on screen still offers it.
    dismissToasts();
    announce(`Undone: ${action.title}`);
  } catch (error) {
    // The password was asked for and not given: nothing was tried, so it can still be taken back.
    if (error instanceof StepUpDeclined) change(id, { state: 'done' });
    else fail(action, error instanceof UndoRefused ? error.message : errorText(error));
  }
}

/** Takes back the newest action that can be. @returns false when there is none */
export function undoLatest(): boolean {
  const latest = actions.get().find(({ state }) => state === 'done');
  if (latest === undefined) return false;
  void undoAction(latest.id);
  return true;
}

/** Whether an action can no longer be taken back here. */
export function isTooOld({ at }: RecentAction, now: number): boolean {
  return now - at > UNDO_WITHIN;
}

/** Somebody else signs in: what others did is not theirs to take back. */
export function forgetActions(): void {
  actions.set([]);
}

function fail(action: RecentAction, why: string): void {
  change(action.id, { state: 'failed', why });
  toast(action.failed ?? 'Undo failed', why, 'destructive');
}

function change(id: number, news: Pick<RecentAction, 'state'> & Partial<RecentAction>): void {
  actions.set(actions.get().map((each) => (each.id === id ? { ...each, ...news } : each)));
}
