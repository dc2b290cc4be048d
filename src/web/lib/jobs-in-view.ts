const inView = new Map<string, number>();
/** The end of a job comes by another way than what shows it, so a little later or earlier. Milliseconds. */
const LINGERS = 3_000;

/** Something on screen tells how this job goes and ends: no toast has to. @returns that it is over */
export function keepJobInView(id: string): () => void {
  inView.set(id, (inView.get(id) ?? 0) + 1);
  return () => void setTimeout(() => leave(id), LINGERS);
}

function leave(id: string): void {
  const rest = (inView.get(id) ?? 0) - 1;
  if (rest > 0) inView.set(id, rest);
  else inView.delete(id);
}

/** Whether something on screen tells of this job. */
export function isJobInView(id: string): boolean {
  return inView.has(id);
}
