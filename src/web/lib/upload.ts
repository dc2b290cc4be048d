import type { z } from 'zod';
import { ApiError, NoAnswerError, UnknownAnswerError, withSession } from './api.ts';

type UploadOptions<Schema extends z.ZodType> = {
  schema: Schema;
  /** Starts with "/api/". */
  path: string;
  file: File;
  /** Bytes sent so far. */
  onProgress: (sent: number) => void;
  signal: AbortSignal;
};

/**
 * Sends a file as the body of a POST with XMLHttpRequest: fetch reports no upload progress.
 * @throws ApiError on an error response, NoAnswerError when unreachable or aborted, UnknownAnswerError on a bad shape
 */
export function uploadFile<Schema extends z.ZodType>(
  options: UploadOptions<Schema>,
): Promise<z.output<Schema>> {
  return withSession(() => uploadOnce(options));
}

function uploadOnce<Schema extends z.ZodType>(options: UploadOptions<Schema>): Promise<z.output<Schema>> {
  const { schema, path, file, onProgress, signal } = options;
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', path);
    request.withCredentials = true;
    // A fixed type: some systems label a CSV file as a spreadsheet.
    request.setRequestHeader('content-type', 'text/csv');
    request.upload.onprogress = (event) => onProgress(event.loaded);
    request.onerror = () => reject(new NoAnswerError(`POST ${path}: no answer`));
    request.onabort = () => reject(new NoAnswerError(`POST ${path}: given up`));
    request.onload = () => {
      if (request.status >= 400) {
        return reject(new ApiError(request.status, request.statusText, request.responseText));
      }
      const answer = schema.safeParse(parseJson(request.responseText));
      if (answer.success) resolve(answer.data);
      else reject(new UnknownAnswerError(`POST ${path}: ${answer.error.message}`, { cause: answer.error }));
    };
    signal.addEventListener('abort', () => request.abort());
    request.send(file);
  });
}

/** Undefined for text that is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
