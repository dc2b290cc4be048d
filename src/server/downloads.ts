import { PassThrough } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#usecases/app-error.ts';
import { type ExportedFile, recordExport } from '#usecases/catalog/exports/record-export.ts';
import type { AppDeps } from './app-deps.ts';
import { editorOf } from './editor-of.ts';

/** Each holds a connection to the database while it is read; the others must stay free for the screens. */
const MAX_CONCURRENT_DOWNLOADS = 3;
const RETRY_AFTER = 10;

/** Writes a file in chunks; a chunk is accepted when `write` resolves. */
export type Produce = (write: (text: string) => Promise<void>) => Promise<void>;

export interface Downloads {
  /**
   * Streams a CSV file while it is written, at the speed of the client, after the audit log row of the download.
   * When the client disconnects, or the database fails, it ends there and the browser reports a broken download.
   * @throws AppError `too_many_requests` while others are in progress
   */
  send(
    request: FastifyRequest,
    reply: FastifyReply,
    file: ExportedFile,
    produce: Produce,
  ): Promise<FastifyReply>;
  /** Aborts active downloads: a stopping server does not wait for a slow client. */
  endAll(): void;
}

/** The downloads of one server. */
export function createDownloads({ db, now }: Pick<AppDeps, 'db' | 'now'>): Downloads {
  const underWay = new Set<PassThrough>();
  return {
    send: async (request, reply, exported, produce) => {
      if (underWay.size >= MAX_CONCURRENT_DOWNLOADS) {
        throw new AppError('too_many_requests', 'Other exports are running. Try again in a few seconds.', {
          retryAfterSeconds: RETRY_AFTER,
        });
      }
      const file = new PassThrough();
      underWay.add(file);
      try {
        await recordExport(db, exported, editorOf(request), now());
      } catch (error) {
        underWay.delete(file);
        throw error;
      }
      void produce((text) => writeTo(file, text))
        .then(
          () => file.end(),
          (error: unknown) => file.destroy(error instanceof Error ? error : new Error(String(error))),
        )
        .finally(() => underWay.delete(file));
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="${exported.name}"`)
        .send(file);
    },
    endAll: () => {
      for (const file of underWay) file.destroy();
    },
  };
}

/** @throws Error when the client disconnected */
async function writeTo(file: PassThrough, text: string): Promise<void> {
  if (file.destroyed) throw new Error('The client stopped reading.');
  if (file.write(text)) return;
  await new Promise<void>((resolve, reject) => {
    const onDrain = () => {
      file.off('close', onClose);
      resolve();
    };
    const onClose = () => {
      file.off('drain', onDrain);
      reject(new Error('The client stopped reading.'));
    };
    file.once('drain', onDrain);
    file.once('close', onClose);
  });
}
