import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type S3Stub, startS3Stub } from '#tests/support/s3-stub.ts';
import { newScratchFolder } from '#tests/support/scratch-folder.ts';
import { BREADTH, expect, expectAccessible, OWNER, test } from './fixtures.ts';

/* A backup in a bucket of an S3 service on this machine, from the settings to a restored data folder. */

let bucket: S3Stub;
let folder: string;
test.beforeEach(async () => {
  bucket = await startS3Stub(() => Date.now());
  folder = await newScratchFolder('e2e-bucket');
});
test.afterEach(async () => {
  await bucket.close();
  await rm(folder, { recursive: true });
});

/** A command of the built program on a data folder. @returns its exit code, and what it said */
async function command(dataDir: string, args: readonly string[]): Promise<{ code: number; text: string }> {
  const child = spawn(process.execPath, ['dist/server/main.js', ...args], {
    env: {
      PATH: process.env.PATH,
      PRICEWRIGHT_DATA: dataDir,
      LOG_LEVEL: 'warn',
      AWS_ENDPOINT_URL: bucket.url,
      AWS_REGION: bucket.region,
      AWS_ACCESS_KEY_ID: bucket.accessKeyId,
      AWS_SECRET_ACCESS_KEY: bucket.secretAccessKey,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part) => {
      text += part;
    });
  const [code] = await once(child, 'close');
  return { code, text };
}

test(
  'a bucket is entered and tested, gets a backup, and a command restores from it',
  BREADTH,
  async ({ provenPage: page }) => {
    await page.goto('/settings#backups');
    const section = page.getByRole('region', { name: 'Backups' });
    await section.getByRole('radio', { name: /^A bucket/ }).check();
    for (const [label, value] of [
      ['Endpoint', bucket.url],
      ['Region', bucket.region],
      ['Bucket', bucket.bucket],
      ['Prefix', 'shop/'],
      ['Access key', bucket.accessKeyId],
    ] as const)
      await section.getByLabel(label, { exact: true }).fill(value);
    await section.getByLabel('Secret key', { exact: true }).fill(bucket.secretAccessKey);
    const style = section.getByRole('switch', { name: 'Path style addresses' });
    if (!(await style.isChecked())) await style.click();
    await section.getByRole('button', { name: 'Test connection' }).click();
    await expect(section.getByText('The bucket works', { exact: true })).toBeVisible();
    await expectAccessible(page, '#backups');
    await section.getByRole('button', { name: 'Save backups' }).click();
    await expect(page.getByText('Backups saved', { exact: true })).toBeVisible();
    try {
      await section.getByRole('button', { name: 'Back up now' }).click();
      const made = section.getByRole('table', { name: 'Backup files' }).getByRole('row', { name: /Checked/ });
      await expect(made).toHaveCount(1);
      const [key = ''] = [...bucket.objects.keys()];
      await expect(made).toContainText(key.replace('shop/', ''));
      await expectAccessible(page, '#backups');

      const data = join(folder, 'data');
      await mkdir(data);
      await copyFile(join(process.env.PRICEWRIGHT_E2E_DATA ?? '', 'secret.key'), join(data, 'secret.key'));
      const restored = await command(data, ['restore', `s3://${bucket.bucket}/${key}`]);
      expect(restored.code, restored.text).toBe(0);
      const users = await command(data, ['users', 'list']);
      expect(users.text).toContain(`${OWNER.email}\tadmin\tactive`);
    } finally {
      // The schedule of the tests after this one has a folder again.
      await section.getByRole('radio', { name: /^A folder/ }).check();
      const saved = page.waitForResponse(
        (response) => response.url().endsWith('/api/backups') && response.request().method() === 'PUT',
      );
      await section.getByRole('button', { name: 'Save backups' }).click();
      expect((await saved).status()).toBe(200);
    }
  },
);
