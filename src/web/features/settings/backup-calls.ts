import { queryOptions, type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { Backups, BackupsTested, type EditBackups, type EditBucket } from '#contract/backups.ts';
import { Done } from '#contract/users.ts';
import { call, errorText } from '#web/lib/api.ts';
import { callWithStepUp } from '#web/lib/step-up.ts';
import { toast } from '#web/lib/use-toast.ts';

/** Milliseconds between two looks while a backup is being made. */
const LOOK_AGAIN = 3_000;

/** The schedule of backups and its files. */
export const backupsQuery = queryOptions({
  queryKey: ['backups'] as const,
  queryFn: () => call(Backups, 'GET', '/api/backups'),
  refetchInterval: ({ state }) => (state.data?.isUnderWay === true ? LOOK_AGAIN : false),
});

/** Saves the schedule after the password. */
export function useSaveBackups(onSaved: () => void): UseMutationResult<Backups, Error, EditBackups> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (edit) => callWithStepUp(Backups, 'PUT', '/api/backups', edit),
    onSuccess: (saved) => {
      client.setQueryData(backupsQuery.queryKey, saved);
      toast('Backups saved', saved.isOn ? `Every day at ${saved.timeOfDay}.` : 'No backups are scheduled.');
      onSaved();
    },
    gcTime: 0,
  });
}

/** Confirms, after the password, that a restored database replaces the original. */
export function useConfirmRestore(): UseMutationResult<Backups, Error, void> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callWithStepUp(Backups, 'POST', '/api/backups/confirm-restore'),
    onSuccess: (confirmed) => client.setQueryData(backupsQuery.queryKey, confirmed),
    onError: (error) => toast('The restore was not confirmed', errorText(error), 'destructive'),
  });
}

/** Makes a backup now. */
export function useBackUpNow(): UseMutationResult<unknown, Error, void> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(Done, 'POST', '/api/backups/run'),
    onSuccess: () => client.invalidateQueries({ queryKey: backupsQuery.queryKey }),
    onError: (error) => toast('No backup was started', errorText(error), 'destructive'),
  });
}

/** Tests a bucket as it is entered, after the password: a small object is written, listed, read and deleted. */
export function useTestBucket(): UseMutationResult<BackupsTested, Error, EditBucket> {
  return useMutation({
    mutationFn: (bucket) => callWithStepUp(BackupsTested, 'POST', '/api/backups/test', { bucket }),
    gcTime: 0,
  });
}
