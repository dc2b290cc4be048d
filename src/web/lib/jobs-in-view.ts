import { createPageStore } from './store.ts';

/** One entry for each part of the page that shows a job. */
const inView = createPageStore<readonly { readonly id: string }[]>([]);
/** Milliseconds to keep an entry: the job's end may arrive a little later than the view closes. */
const KEEP_MS = 3_000;

/** Marks a job as shown on screen: it needs no toast. @returns removes the mark */
export function keepJobInView(id: string): () => void {
  const mark = { id };
  inView.set([...inView.get(), mark]);
  const leave = (): void => inView.set(inView.get().filter((each) => each !== mark));
  return () => void setTimeout(leave, KEEP_MS);
}

/** Whether a job is shown on screen. */
export function isJobInView(id: string): boolean {
  return inView.get().some((each) => each.id === id);
}
