import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import type { AdapterContext } from '#sandbox/adapters/adapter.ts';
import { pathText } from '#sandbox/adapters/query.ts';

/** Documents of more characters than this are compressed, so that clients are tested with both. */
const COMPRESSION_THRESHOLD = 2_000;
/** Older documents are dropped, as Amazon drops them after some time. */
const MAX_DOCUMENTS = 500;

interface Document {
  readonly type: string;
  text: string;
}

/** Uploaded feeds and downloadable reports, at pre-signed URLs that need no token. */
export class Documents {
  readonly #tools: AdapterContext;
  readonly #kept = new Map<string, Document>();

  constructor(tools: AdapterContext) {
    this.#tools = tools;
  }

  register(app: FastifyInstance): void {
    app.put('/_documents/:id', { config: { operation: 'uploadDocument' } }, async (request, reply) => {
      const document = this.#kept.get(pathText(request, 'id'));
      if (document === undefined || document.type !== request.headers['content-type']) {
        return reply.code(403).type('application/xml').send(deniedXml());
      }
      document.text = typeof request.body === 'string' ? request.body : JSON.stringify(request.body);
      return reply.code(200).send('');
    });
    app.get('/_documents/:id', { config: { operation: 'downloadDocument' } }, async (request, reply) => {
      const document = this.#kept.get(pathText(request, 'id'));
      if (document === undefined) return reply.code(403).type('application/xml').send(deniedXml());
      const isCompressed = document.text.length > COMPRESSION_THRESHOLD;
      reply.type(isCompressed ? 'application/octet-stream' : document.type);
      return reply.send(isCompressed ? gzipSync(document.text) : document.text);
    });
  }

  keep(id: string, type: string, text = ''): void {
    this.#kept.set(id, { type, text });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_DOCUMENTS && oldest !== undefined) this.#kept.delete(oldest);
  }

  text(id: string): string | null {
    return this.#kept.get(id)?.text ?? null;
  }

  /** The document's URL in the format of the API; null for an unknown one. */
  view(id: string) {
    const document = this.#kept.get(id);
    if (document === undefined) return null;
    const isCompressed = document.text.length > COMPRESSION_THRESHOLD;
    return { url: this.address(id), ...(isCompressed ? { compressionAlgorithm: 'GZIP' } : {}) };
  }

  address(id: string): string {
    return `${this.#tools.address()}/_documents/${encodeURIComponent(id)}?X-Amz-Expires=300`;
  }
}

function deniedXml(): string {
  return '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>';
}
