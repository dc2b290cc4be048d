import { queryOptions, type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  type EditOwnSellers,
  OwnSellers,
  RepricingLimits,
  type RepricingLimitsForm,
} from '#contract/repricing-limits.ts';
import { type EditSettings, Settings } from '#contract/settings.ts';
import { call } from '#web/lib/api.ts';
import { ENGINE_KEY } from '#web/lib/engine.ts';
import { callWithStepUp } from '#web/lib/step-up.ts';
import { connectionsQuery } from './connection-queries.ts';
import type { SettingValues } from './settings-values.ts';

/** Everything the page edits, as stored. */
export interface StoredSettings {
  readonly settings: Settings;
  readonly guards: RepricingLimits;
  readonly sellers: OwnSellers['marketplaces'];
}

/** The parts that have changes; null parts are not sent. */
export interface SettingsChange {
  readonly settings: EditSettings | null;
  readonly guards: RepricingLimitsForm | null;
  readonly sellers: EditOwnSellers['marketplaces'];
  /** The edits behind `settings`: what was typed meanwhile is not among them. */
  readonly sent: SettingValues;
}

/** Settings, guards and own sellers together: they are saved together. */
export const settingsQuery = queryOptions({
  queryKey: ['settings', 'all'] as const,
  queryFn: async (): Promise<StoredSettings> => {
    const [settings, guards, { marketplaces }] = await Promise.all([
      call(Settings, 'GET', '/api/settings'),
      call(RepricingLimits, 'GET', '/api/repricing-limits'),
      call(OwnSellers, 'GET', '/api/own-sellers'),
    ]);
    return { settings, guards, sellers: marketplaces };
  },
});

/**
 * Saves what changed. What was saved before a failure is known to the page: it is not sent twice.
 * @param onSettingsSaved hears of the settings at once, whatever happens to the other parts
 */
export function useSaveSettings(
  onSettingsSaved: (sent: SettingValues) => void,
): UseMutationResult<void, Error, SettingsChange> {
  const client = useQueryClient();
  const keep = (part: (stored: StoredSettings) => Partial<StoredSettings>): void => {
    client.setQueryData(settingsQuery.queryKey, (stored) => stored && { ...stored, ...part(stored) });
  };
  return useMutation({
    mutationFn: async ({ settings, guards, sellers, sent }) => {
      let saved: Settings | null = null;
      if (settings !== null) {
        const answer = await callWithStepUp(Settings, 'PUT', '/api/settings', settings);
        keep((stored) => ({ settings: answer, guards: withSettings(stored.guards, answer) }));
        onSettingsSaved(sent);
        saved = answer;
      }
      if (guards !== null) {
        const body = saved === null ? guards : withSettings(guards, saved);
        const answer = await callWithStepUp(RepricingLimits, 'PUT', '/api/repricing-limits', body);
        keep((stored) => ({ guards: answer, settings: { ...stored.settings, version: answer.version } }));
      }
      if (sellers.length === 0) return;
      const answer = await call(OwnSellers, 'PUT', '/api/own-sellers', { marketplaces: sellers });
      keep(() => ({ sellers: answer.marketplaces }));
    },
    onSettled: async () => {
      // The bar on every page shows some of it, and naming our sellers is a step of the setup.
      await client.invalidateQueries({ queryKey: ENGINE_KEY });
      await client.invalidateQueries({ queryKey: connectionsQuery.queryKey });
      await client.invalidateQueries({ queryKey: ['setup'] });
    },
  });
}

/** One row holds settings and guards: the guards carry two fields of the settings, and their version. */
function withSettings<Form extends RepricingLimitsForm>(
  guards: Form,
  { autoRepricing, checkInterval, version }: Settings,
): Form {
  return { ...guards, autoRepricing, checkIntervalMinutes: checkInterval, version };
}
