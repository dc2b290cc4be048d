import { vi } from 'vitest';
import type { Answer } from './fake-api.ts';

export interface SentFile {
  path: string;
  name: string;
}

/**
 * Answers uploads, which use the browser's older kind of request. It reports half of the file as sent, then waits for `answer`.
 * @returns what was sent, in order
 */
export function serveUploads(answer: (file: SentFile) => Promise<Answer>): SentFile[] {
  const sent: SentFile[] = [];
  class FakeRequest {
    upload: { onprogress?: (event: { loaded: number }) => void } = {};
    onload?: () => void;
    onerror?: () => void;
    onabort?: () => void;
    withCredentials = false;
    status = 0;
    statusText = '';
    responseText = '';
    readonly setRequestHeader = vi.fn();
    private path = '';
    private isAborted = false;

    open(_method: string, path: string): void {
      this.path = path;
    }

    send(file: File): void {
      const upload = { path: this.path, name: file.name };
      sent.push(upload);
      this.upload.onprogress?.({ loaded: Math.floor(file.size / 2) });
      void answer(upload).then(
        ({ status = 200, body }) => {
          if (this.isAborted) return;
          this.status = status;
          this.responseText = JSON.stringify(body);
          this.onload?.();
        },
        () => this.onerror?.(),
      );
    }

    abort(): void {
      this.isAborted = true;
      this.onabort?.();
    }
  }
  vi.stubGlobal('XMLHttpRequest', FakeRequest);
  return sent;
}
