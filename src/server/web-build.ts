import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { inlineScriptHashes } from './security-headers.ts';

/** The built pages, listed once at start: files that are not in the list do not exist, whatever the address. */
export type WebBuild = {
  readonly root: string;
  /** Addresses such as "/assets/index-1a2b3c.js". */
  readonly files: ReadonlySet<string>;
  readonly page: string;
  readonly scriptHashes: readonly string[];
};

/** Reads the list of files and the page. @throws Error when the folder has no index.html */
export function readWebBuild(root: string): WebBuild {
  const files = new Set<string>();
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = `/${relative(root, join(entry.parentPath, entry.name)).split(sep).join('/')}`;
    const isHidden = path.includes('/.');
    if (entry.isFile() && !isHidden && !path.endsWith('.map') && path !== '/index.html') files.add(path);
  }
  const page = readFileSync(join(root, 'index.html'), 'utf8');
  return { root, files, page, scriptHashes: inlineScriptHashes(page) };
}

function wantsPage(request: FastifyRequest, path: string): boolean {
  // A missing script must not come back as a page.
  const name = path.slice(path.lastIndexOf('/'));
  if (path.startsWith('/assets/') || name.includes('.')) return false;
  return /text\/html|\*\/\*/.test(request.headers.accept ?? '*/*');
}

/** Serves the files of the build, each by its own name. */
export async function addWebFiles(app: FastifyInstance, build: WebBuild): Promise<void> {
  // `serve: false`: no routes of its own, only reply.sendFile for names from our list.
  await app.register(fastifyStatic, { root: build.root, serve: false, cacheControl: false });
  for (const file of build.files) {
    // Vite puts a hash of the content into the names of assets.
    const kept = file.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
    app.route({
      method: ['GET', 'HEAD'],
      url: file,
      // Not API calls: they would fill the API description with files.
      schema: { hide: true },
      config: { access: 'public' },
      handler: async (_request, reply) => reply.header('cache-control', kept).sendFile(file.slice(1)),
    });
  }
}

/** Returns the page, which renders the screen for the address; null when no page was requested. */
export function replyWithPage(
  build: WebBuild,
  path: string,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | null {
  if (!wantsPage(request, path)) return null;
  return reply
    .code(200)
    .header('cache-control', 'no-cache')
    .type('text/html; charset=utf-8')
    .send(build.page);
}
