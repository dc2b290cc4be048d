import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { inlineScriptHashes } from './security-headers.ts';

const SCRIPT = "document.documentElement.classList.add('dark')";
const PAGE = `<!doctype html><script>${SCRIPT}</script><script type="module" src="/assets/app-1a2b.js"></script>`;
// printf %s "$SCRIPT" | openssl dgst -sha256 -binary | base64
const HASH = "'sha256-8/JOXyWhT/LhKZY9U5Cdee8G1O48pXy/45IaKPBUq6s='";

let folder: string;
let shop: TestApp;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'web-'));
  const root = join(folder, 'web');
  await mkdir(join(root, 'assets'), { recursive: true });
  await mkdir(join(root, '.vite'));
  await writeFile(join(folder, 'secret.txt'), 'secret');
  await writeFile(join(root, 'index.html'), PAGE);
  await writeFile(join(root, 'favicon.svg'), '<svg/>');
  await writeFile(join(root, '.env'), 'secret');
  await writeFile(join(root, '.vite', 'manifest.json'), 'secret');
  await writeFile(join(root, 'assets', 'app-1a2b.js'), `console.log(1);${' '.repeat(2_000)}`);
  await writeFile(join(root, 'assets', 'app-1a2b.js.map'), 'secret');
  await symlink(join(folder, 'secret.txt'), join(root, 'assets', 'link.txt'));
  shop = await createTestApp({ webRoot: root });
});
afterAll(async () => {
  await shop.close();
  await rm(folder, { recursive: true });
});

const browse = (url: string, accept = 'text/html,*/*;q=0.8') =>
  shop.app.inject({ url, headers: { accept, 'accept-encoding': 'gzip' } });

test.each(['/', '/listings', '/verify-email?token=x', '/no-such-screen', '/index.html?'])(
  '%s is the page',
  async (url) => {
    const answer = await browse(url.replace('/index.html?', '/'));
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toBe(PAGE);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('no-cache');
  },
);

test('the inline script of the page is allowed by its hash, and no other inline script is', async () => {
  const policy = String((await browse('/')).headers['content-security-policy']);
  expect(policy).toContain(`script-src 'self' ${HASH};`);
  expect(policy).not.toMatch(/script-src[^;]*unsafe/);
});

test('every inline script has a hash, however its tag is written', () => {
  expect(
    inlineScriptHashes('<SCRIPT type="module">a</SCRIPT><script\n>b</script><script src=x></script>'),
  ).toHaveLength(2);
});

test('files with a hash in their name are cached forever, others are revalidated', async () => {
  const asset = await browse('/assets/app-1a2b.js', '*/*');
  expect(asset.statusCode).toBe(200);
  expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect(asset.headers['content-type']).toMatch(/javascript/);
  expect(asset.headers['content-encoding']).toBe('gzip');
  expect(asset.headers['x-content-type-options']).toBe('nosniff');
  expect((await browse('/favicon.svg', '*/*')).headers['cache-control']).toBe('no-cache');
});

test('HEAD answers like GET without a body', async () => {
  const answer = await shop.app.inject({ method: 'HEAD', url: '/', headers: { accept: 'text/html' } });
  expect(answer.statusCode).toBe(200);
  expect(answer.body).toBe('');
});

test.each([
  '/.env',
  '/.vite/manifest.json',
  '/assets/app-1a2b.js.map',
  '/assets/missing-9z.js',
  '/assets/',
  '/assets/link.txt',
  '/assets/../../secret.txt',
  '/..%2fsecret.txt',
  '/assets/%2e%2e/%2e%2e/secret.txt',
  '/assets/..%5c..%5csecret.txt',
  '/%2e%2e/secret.txt',
  '/api/nothing',
  '/api',
  '/API/nothing',
  '/%61pi/nothing',
  '//api/nothing',
])('%s is 404 and JSON', async (url) => {
  const answer = await browse(url);
  expect(answer.statusCode).toBe(404);
  expect(answer.json()).toMatchObject({ code: 'not_found' });
  expect(answer.body).not.toContain('secret');
});

test('a page is only returned to requests for pages', async () => {
  expect((await browse('/listings', 'application/json')).statusCode).toBe(404);
  expect((await shop.post('/listings')).statusCode).toBe(404);
});

test('the API description lists only calls, no files of the pages', async () => {
  const cookie = await shop.admin();
  const { paths } = (await shop.get('/api/docs/json', cookie)).json();
  const others = Object.keys(paths).filter((path) => !path.startsWith('/api/'));
  expect(others.sort()).toEqual(['/healthz', '/metrics', '/readyz']);
  expect(paths).toHaveProperty(['/api/login', 'post']);
});
