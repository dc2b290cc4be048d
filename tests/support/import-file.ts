import type { Import } from '#contract/imports.ts';
import { permittedDb } from '#db/permitted.ts';
import type { JobHandler } from '#usecases/background/job-handler.ts';
import { runJob } from '#usecases/background/run-job.ts';
import { importHandler } from '#usecases/catalog/imports/import-handler.ts';
import type { TestApp } from './test-app.ts';

/** Files brought in through the product: uploaded, checked, imported. */
export interface ImportDesk {
  /** Uploads a file and lets its check run. */
  check(kind: string, file: string | Buffer, name?: string): Promise<Import>;
  /** Uploads, checks and imports a file. */
  bringIn(kind: string, file: string | Buffer, options?: object): Promise<Import>;
  /** Asks to import a checked file and lets it run. */
  run(id: string, options?: object): Promise<Import>;
  /** Chooses columns and lets the check run. */
  map(id: string, mapping: object, defaults?: object): Promise<Import>;
  /** The samples of a status, "walmart A-1" with what changes. */
  lines(id: string, status: string): Promise<{ lines: unknown[]; problems: unknown[] }>;
  rejected(id: string): Promise<string>;
  read(id: string): Promise<Import>;
  upload(kind: string, file: string | Buffer, name?: string): ReturnType<TestApp['post']>;
  readonly cookie: string;
  /** What a call is logged in with. */
  readonly signed: { readonly headers: { readonly cookie: string } };
  /** Runs what was sent to the queue. */
  work(handler?: JobHandler): Promise<void>;
}

/** @param batchRows rows of one batch, where a test is about more than one; else as many as in the program */
export function importDesk(shop: TestApp, cookie: string, batchRows?: number): ImportDesk {
  const upload: ImportDesk['upload'] = (kind, file, name = `${kind}.csv`) =>
    shop.post(`/api/imports?kind=${kind}&name=${encodeURIComponent(name)}`, undefined, {
      payload: file,
      headers: { cookie, 'content-type': 'text/csv' },
    });
  const work: ImportDesk['work'] = async (
    handler = importHandler({
      db: permittedDb(shop.db),
      now: shop.deps.now,
      ...(batchRows && { batchRows }),
    }),
  ) => {
    const faults: unknown[] = [];
    const deps = { db: shop.db, url: shop.url, now: shop.deps.now, stopping: new AbortController().signal };
    const onUnexpectedError = (error: unknown) => faults.push(error);
    for (const { data } of shop.queue.sent.splice(0)) {
      await runJob({ ...deps, onUnexpectedError }, (data as { jobId: number }).jobId, { import: handler });
    }
    if (faults.length > 0) throw faults[0];
  };
  const read = async (id: string): Promise<Import> =>
    ok<Import>(await shop.get(`/api/imports/${id}`, cookie));
  const run: ImportDesk['run'] = async (id, options = { allOrNothing: false }) => {
    const { checkId } = await read(id);
    ok(
      await shop.post(
        `/api/imports/${id}/run`,
        { checkId: checkId ?? '0', ...options },
        { headers: { cookie } },
      ),
    );
    await work();
    return read(id);
  };
  const check: ImportDesk['check'] = async (kind, file, name) => {
    const { id } = ok<Import>(await upload(kind, file, name));
    await work();
    return read(id);
  };
  return {
    cookie,
    signed: { headers: { cookie } },
    upload,
    read,
    work,
    run,
    check,
    bringIn: async (kind, file, options) => run((await check(kind, file)).id, options),
    map: async (id, mapping, defaults = {}) => {
      const url = `/api/imports/${id}/mapping`;
      ok(await shop.post(url, { mapping, defaults }, { method: 'PUT', headers: { cookie } }));
      await work();
      return read(id);
    },
    lines: async (id, status) =>
      ok<{ lines: unknown[]; problems: unknown[] }>(
        await shop.get(`/api/imports/${id}/lines?status=${status}`, cookie),
      ),
    rejected: async (id) => {
      const answer = await shop.get(`/api/imports/${id}/rejected.csv`, cookie);
      if (answer.statusCode !== 200) throw new Error(answer.body);
      return answer.body;
    },
  };
}

function ok<Body>(answer: { statusCode: number; body: string; json: () => Body }): Body {
  if (answer.statusCode >= 300) throw new Error(`${answer.statusCode} ${answer.body}`);
  return answer.json();
}

/** A row of cells under a header, by the names of the columns. */
export const under = (header: string, separator: string, cells: Readonly<Record<string, string>>) =>
  header
    .split(separator)
    .map((name) => cells[name] ?? '')
    .join(separator);
