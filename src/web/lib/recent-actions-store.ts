import { announce } from './announce.ts';
import { errorText } from './api.ts';
import { StepUpDeclined } from './step-up.ts';
import { createPageStore } from './store.ts';
import { dismissToasts, toast } from './use-toast.ts';

/** Title and sentence of a toast. */
type Told = { readonly title: string; readonly text: string };

/** An action that can be undone. */
export interface Reversible extends Told {
  /** Undoes it, independently of the screen that did it. @returns the message to show; null for the default */
  readonly undo: () => Promise<Told | null>;
  /** The object of the action if the sentence does not name it: a SKU. */
  readonly about?: string;
  /** Title of the toast if that fails; default "Undo failed". */
  readonly failed?: string;
}

type ActionState = 'done' | 'undoing' | 'undone' | 'failed';

export interface RecentAction extends Reversible {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly state: ActionState;
  /** Why it could not be undone, or the result of undoing it; null for no message. */
  readonly why: string | null;
}

/** The action cannot be undone; the message is a sentence for the user. */
export class UndoRefused extends Error {
  override readonly name = 'UndoRefused';
}

/** Milliseconds: older actions cannot be undone here, because others may have built on them. */
export const UNDO_WITHIN = 3_600_000;
const TOO_OLD = 'It is more than one hour old. Change it back by hand.';
const REMEMBERED = 20;

const actions = createPageStore<readonly RecentAction[]>([]);
const lastId = createPageStore(0);

/** Newest first. */
export const useRecentActions: () => readonly RecentAction[] = actions.use;

/** A reported action that may still grow, as a series of values typed down a column. */
export interface ReportedAction {
  /** Updates its text. @returns false if it can no longer grow: it is undone or forgotten */
  readonly retell: (text: string) => boolean;
}

/** Reports an action and offers Undo: in the toast, under "Recent actions", and on Ctrl+Z. */
export function reportUndoable(action: Reversible): ReportedAction {
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

/** Undoes one action. Does nothing if it is undone already or being undone. */
export async function undoAction(id: number): Promise<void> {
  const action = actions.get().find((each) => each.id === id);
  if (action === undefined || action.state === 'undoing' || action.state === 'undone') return;
  if (isTooOld(action, Date.now())) return fail(action, TOO_OLD);
  change(id, { state: 'undoing', why: null });
  try {
    const reported = await action.undo();
    change(id, { state: 'undone', why: reported?.text ?? null });
    if (reported !== null) return toast(reported.title, reported.text);
    // The toast on screen still offers it.
    dismissToasts();
    announce(`Undone: ${action.title}`);
  } catch (error) {
    // The step-up was declined: nothing was tried, so it can still be undone.
    if (error instanceof StepUpDeclined) change(id, { state: 'done' });
    else fail(action, error instanceof UndoRefused ? error.message : errorText(error));
  }
}

/** Undoes the newest action that can be. @returns false if there is none */
export function undoLatest(): boolean {
  const latest = actions.get().find(({ state }) => state === 'done');
  if (latest === undefined) return false;
  void undoAction(latest.id);
  return true;
}

/** Whether an action can no longer be undone here. */
export function isTooOld({ at }: RecentAction, now: number): boolean {
  return now - at > UNDO_WITHIN;
}

/** Forgets all actions when another user logs in: they are not theirs to undo. */
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
