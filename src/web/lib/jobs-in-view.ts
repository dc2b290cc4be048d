import { createPageStore } from './store.ts';

/** One for each part of the page that tells of a job. */
const inView = createPageStore<readonly { readonly id: string }[]>([]);
/** The end of a job comes by another way than what shows it, so a little later or earlier. Milliseconds. */
const LINGERS = 3_000;

/** Something on screen tells how this job goes and ends: no toast has to. @returns that it is over */
export function keepJobInView(id: string): () => void {
  const mark = { id };
  inView.set([...inView.get(), mark]);
  const leave = (): void => inView.set(inView.get().filter((each) => each !== mark));
  return () => void setTimeout(leave, LINGERS);
}

/** Whether something on screen tells of this job. */
export function isJobInView(id: string): boolean {
  return inView.get().some((each) => each.id === id);
}
