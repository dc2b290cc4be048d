import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { SECRET_MASK } from '#contract/settings.ts';
import { openSettings, someBackups } from '#tests/support/settings-screen.tsx';

const section = async () => within(await screen.findByRole('region', { name: 'Backups' }));

test('the schedule is saved apart from the other settings, with errors at their fields', async () => {
  const { user, writes } = await openSettings(undefined, {
    'PUT /api/backups': (body) => ({ body: { ...someBackups(), ...(body as object), version: 2 } }),
  });
  const here = await section();
  await user.click(await here.findByRole('switch', { name: 'Encrypt backups' }));
  await user.type(here.getByLabelText('Passphrase of backups'), 'five random words');
  await user.clear(here.getByRole('textbox', { name: 'Days' }));
  await user.type(here.getByRole('textbox', { name: 'Days' }), '14');
  await user.click(here.getByRole('button', { name: 'Save backups' }));
  await waitFor(() =>
    expect(writes()).toContainEqual({
      call: 'PUT /api/backups',
      body: {
        isOn: true,
        timeOfDay: '03:00',
        destination: 'folder',
        folder: '',
        bucket: someBackups().bucket,
        encrypts: true,
        keepDaily: 14,
        keepWeekly: 4,
        keepMonthly: 6,
        passphrase: 'five random words',
        version: 1,
      },
    }),
  );
  expect(here.queryByDisplayValue('five random words')).toBeNull();
});

test('a bucket is tested as it is entered, then saved; its secret key is not shown again', async () => {
  const bucket = {
    endpoint: 'https://s3.example.com',
    region: 'eu-central-1',
    name: 'backups',
    prefix: 'shop/',
    isPathStyle: false,
    accessKeyId: 'AKIAEXAMPLE',
    secretAccessKey: 'the secret key',
  };
  let error: string | null = 'The access key may not delete objects.';
  const { user, writes } = await openSettings(undefined, {
    'POST /api/backups/test': () => ({ body: { success: error === null, error } }),
    'PUT /api/backups': (body) => ({
      body: {
        ...someBackups(),
        ...(body as object),
        bucket: { ...bucket, secretAccessKey: SECRET_MASK },
        version: 2,
      },
    }),
  });
  const here = await section();
  await user.click(here.getByRole('radio', { name: /S3-compatible/ }));
  expect(here.queryByRole('textbox', { name: 'Folder on the server' })).toBeNull();
  for (const [label, text] of [
    ['Endpoint', bucket.endpoint],
    ['Region', bucket.region],
    ['Bucket', bucket.name],
    ['Prefix', bucket.prefix],
    ['Access key', bucket.accessKeyId],
    ['Secret key', bucket.secretAccessKey],
  ] as const)
    await user.type(here.getByLabelText(label), text);
  await user.click(here.getByRole('switch', { name: 'Path style addresses' }));
  const test = here.getByRole('button', { name: 'Test connection' });
  await user.click(test);
  await here.findByText(error);
  error = null;
  await user.click(test);
  await here.findByText('The bucket works');
  expect(writes().at(-1)).toEqual({ call: 'POST /api/backups/test', body: { bucket } });
  await user.click(here.getByRole('button', { name: 'Save backups' }));
  await waitFor(() =>
    expect(writes().at(-1)).toMatchObject({ body: { destination: 's3', bucket, version: 1 } }),
  );
  await waitFor(() => expect(here.queryByDisplayValue(bucket.secretAccessKey)).toBeNull());
});

test('a restored database says that nothing is scheduled, and is confirmed', async () => {
  const unconfirmedRestoreAt = '2026-11-28T08:00:00.000Z';
  const { user, writes } = await openSettings(undefined, {
    'GET /api/backups': { body: someBackups({ unconfirmedRestoreAt }) },
    'POST /api/backups/confirm-restore': { body: someBackups() },
  });
  const here = await section();
  const confirm = await here.findByRole('button', { name: 'Confirm restore' });
  await user.click(confirm);
  await waitFor(() => expect(here.queryByRole('button', { name: 'Confirm restore' })).toBeNull());
  expect(writes().map(({ call }) => call)).toEqual(['POST /api/backups/confirm-restore']);
});

test('the last backup, its failure and the files are shown, and a backup can be made now', async () => {
  const file = { name: 'pricewright-2026-11-28T080000Z.tar', takenAt: '2026-11-28T08:00:00.000Z' };
  const { user, writes } = await openSettings(undefined, {
    'GET /api/backups': {
      body: someBackups({
        last: {
          takenAt: file.takenAt,
          file: `/data/backups/${file.name}`,
          bytes: 1_234_567,
          isOnDataDisk: true,
        },
        failure: { problem: 'There is no folder /mnt/backups.', at: '2026-11-28T09:00:00.000Z' },
        files: [{ ...file, bytes: 1_234_567, isEncrypted: false, isChecked: true }],
      }),
    },
    'POST /api/backups/run': { body: { message: '' } },
  });
  const here = await section();
  await here.findByText('There is no folder /mnt/backups.');
  expect(within(here.getByRole('table', { name: 'Backup files' })).getAllByRole('row')).toHaveLength(2);
  await user.click(here.getByRole('button', { name: 'Back up now' }));
  await waitFor(() => expect(writes().map(({ call }) => call)).toContain('POST /api/backups/run'));
});
