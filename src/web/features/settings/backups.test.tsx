import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
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
        folder: '',
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
