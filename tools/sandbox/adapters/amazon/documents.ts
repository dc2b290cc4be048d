import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import type { AdapterContext } from '#sandbox/adapters/adapter.ts';
import { pathText } from '#sandbox/adapters/query.ts';

/** Texts longer than that are handed out compressed, so that a reader meets both. */
const COMPRESSED_FROM = 2_000;
/** So many are kept; Amazon throws them away after a while too. */
const MOST = 500;

interface Document {
  readonly type: string;
  text: string;
}

/** What lies where feeds are put and reports are taken from: addresses of their own that need no token. */
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
      const isCompressed = document.text.length > COMPRESSED_FROM;
      reply.type(isCompressed ? 'application/octet-stream' : document.type);
      return reply.send(isCompressed ? gzipSync(document.text) : document.text);
    });
  }

  keep(id: string, type: string, text = ''): void {
    this.#kept.set(id, { type, text });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST && oldest !== undefined) this.#kept.delete(oldest);
  }

  text(id: string): string | null {
    return this.#kept.get(id)?.text ?? null;
  }

  /** Where it lies, as the API says it. */
  view(id: string) {
    const document = this.#kept.get(id);
    if (document === undefined) return null;
    const isCompressed = document.text.length > COMPRESSED_FROM;
    return { url: this.address(id), ...(isCompressed ? { compressionAlgorithm: 'GZIP' } : {}) };
  }

  address(id: string): string {
    return `${this.#tools.address()}/_documents/${encodeURIComponent(id)}?X-Amz-Expires=300`;
  }
}

function deniedXml(): string {
  return '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>';
}
