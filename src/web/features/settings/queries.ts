import { queryOptions, type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { type EditOwnSellers, Guards, type GuardsForm, OwnSellers } from '#contract/guards.ts';
import { call } from '#web/lib/api.ts';

/** Everything the page edits, as stored. */
export interface StoredSettings {
  readonly guards: Guards;
  readonly sellers: OwnSellers['marketplaces'];
}

/** The parts of the settings that have changes; null parts are not sent. */
export interface SettingsChange {
  readonly guards: GuardsForm | null;
  readonly sellers: EditOwnSellers['marketplaces'];
}

/** Guards and own sellers together: they are saved together. */
export const settingsQuery = queryOptions({
  queryKey: ['settings', 'guards'] as const,
  queryFn: async (): Promise<StoredSettings> => {
    const [guards, { marketplaces }] = await Promise.all([
      call(Guards, 'GET', '/api/repricing-guards'),
      call(OwnSellers, 'GET', '/api/own-sellers'),
    ]);
    return { guards, sellers: marketplaces };
  },
});

/** Saves what changed. What was saved before a failure is known to the page: it is not sent twice. */
export function useSaveSettings(): UseMutationResult<void, Error, SettingsChange> {
  const client = useQueryClient();
  const keep = (part: Partial<StoredSettings>): void => {
    client.setQueryData(settingsQuery.queryKey, (stored) => (stored ? { ...stored, ...part } : undefined));
  };
  return useMutation({
    mutationFn: async ({ guards, sellers }) => {
      if (guards !== null) keep({ guards: await call(Guards, 'PUT', '/api/repricing-guards', guards) });
      if (sellers.length === 0) return;
      const saved = await call(OwnSellers, 'PUT', '/api/own-sellers', { marketplaces: sellers });
      keep({ sellers: saved.marketplaces });
    },
    // Naming our sellers is a step of the setup.
    onSettled: () => client.invalidateQueries({ queryKey: ['setup'] }),
  });
}
