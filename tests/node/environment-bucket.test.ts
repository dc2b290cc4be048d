import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLogger } from '#server/logger.ts';
import { environmentBucket, environmentObject } from '#src/bootstrap/environment-bucket.ts';
import type { Running } from '#src/bootstrap/running-program.ts';
import { readConfig } from '#src/config.ts';
import { type S3Stub, startS3Stub } from '#tests/support/s3-stub.ts';

let stub: S3Stub;
beforeEach(async () => {
  stub = await startS3Stub(() => Date.now());
});
afterEach(() => stub.close());

function running(env: Record<string, string>): Running {
  const result = readConfig(env);
  if (!result.ok) throw new Error(result.problems.join());
  return { config: result.config, log: createLogger('silent'), closers: [], lastClosers: [] };
}
const keys = () => ({
  AWS_ACCESS_KEY_ID: stub.accessKeyId,
  AWS_SECRET_ACCESS_KEY: stub.secretAccessKey,
});

test('a command finds its bucket by the variables of Amazon, at another service or theirs', async () => {
  const at = { ...keys(), AWS_ENDPOINT_URL: stub.url, AWS_REGION: stub.region };
  const bucket = environmentBucket(running(at), 's3://backups/shop');
  await bucket.test(new AbortController().signal);
  expect([bucket.text, bucket.id]).toEqual(['s3://backups/shop/', `${stub.url}/backups/shop/`]);

  const amazon = running({ ...keys(), AWS_DEFAULT_REGION: 'eu-central-1' });
  expect(environmentBucket(amazon, 's3://backups').id).toBe('https://s3.eu-central-1.amazonaws.com/backups/');
  const own = running({ ...at, AWS_ENDPOINT_URL_S3: 'https://minio.example.com' });
  expect(environmentBucket(own, 's3://backups').id).toBe('https://minio.example.com/backups/');
});

test.each([
  ['s3://backups/shop/a.tar', 's3://backups/shop/', 'a.tar'],
  ['s3://backups/a.tar', 's3://backups/', 'a.tar'],
  ['s3://backups/shop/', 's3://backups/shop/', ''],
  ['s3://backups', 's3://backups/', ''],
])('%s is looked for in %s', (text, place, name) => {
  const found = environmentObject(running({ ...keys(), AWS_REGION: 'eu-central-1' }), text);
  expect([found.bucket.text, found.name]).toEqual([place, name]);
});

test.each([
  ['no place', 's3://Backups', {}],
  ['a name that no backup has', 's3://backups/a b.tar', {}],
  ['no key', 's3://backups', { AWS_SECRET_ACCESS_KEY: '' }],
  ['no region', 's3://backups', { AWS_REGION: '' }],
  ['a wrong region', 's3://backups', { AWS_REGION: 'EU' }],
  ['a wrong endpoint', 's3://backups', { AWS_ENDPOINT_URL: 'https://minio.example.com/path' }],
])('%s is an error before anything is called', (_, text, over) => {
  const env = { ...keys(), AWS_REGION: 'eu-central-1', ...over };
  const failure = (): unknown => environmentObject(running(env), text);
  expect(failure).toThrow(expect.objectContaining({ exitCode: 2 }));
  expect(failure).not.toThrow(stub.secretAccessKey);
});
