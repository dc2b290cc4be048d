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

/** The stored values of everything on the page. */
export interface StoredSettings {
  readonly settings: Settings;
  readonly limits: RepricingLimits;
  readonly sellers: OwnSellers['marketplaces'];
}

/** The changed parts; null parts are not sent. */
export interface SettingsChange {
  readonly settings: EditSettings | null;
  readonly limits: RepricingLimitsForm | null;
  readonly sellers: EditOwnSellers['marketplaces'];
  /** The edits in `settings`, without those typed during the save. */
  readonly sent: SettingValues;
}

/** Settings, repricing limits and own sellers: they are saved together. */
export const settingsQuery = queryOptions({
  queryKey: ['settings', 'all'] as const,
  queryFn: async (): Promise<StoredSettings> => {
    const [settings, limits, { marketplaces }] = await Promise.all([
      call(Settings, 'GET', '/api/settings'),
      call(RepricingLimits, 'GET', '/api/repricing-limits'),
      call(OwnSellers, 'GET', '/api/own-sellers'),
    ]);
    return { settings, limits, sellers: marketplaces };
  },
});

/**
 * Saves the changes. After a failure, parts saved before it are not sent again.
 * @param onSettingsSaved receives the settings at once, whatever happens to the other parts
 */
export function useSaveSettings(
  onSettingsSaved: (sent: SettingValues) => void,
): UseMutationResult<void, Error, SettingsChange> {
  const client = useQueryClient();
  const keep = (part: (stored: StoredSettings) => Partial<StoredSettings>): void => {
    client.setQueryData(settingsQuery.queryKey, (stored) => stored && { ...stored, ...part(stored) });
  };
  return useMutation({
    mutationFn: async ({ settings, limits, sellers, sent }) => {
      let saved: Settings | null = null;
      if (settings !== null) {
        const answer = await callWithStepUp(Settings, 'PUT', '/api/settings', settings);
        keep((stored) => ({ settings: answer, limits: withSettings(stored.limits, answer) }));
        onSettingsSaved(sent);
        saved = answer;
      }
      if (limits !== null) {
        const body = saved === null ? limits : withSettings(limits, saved);
        const answer = await callWithStepUp(RepricingLimits, 'PUT', '/api/repricing-limits', body);
        keep((stored) => ({ limits: answer, settings: { ...stored.settings, version: answer.version } }));
      }
      if (sellers.length === 0) return;
      const answer = await call(OwnSellers, 'PUT', '/api/own-sellers', { marketplaces: sellers });
      keep(() => ({ sellers: answer.marketplaces }));
    },
    onSettled: async () => {
      // The repricing bar shows some of it, and naming the sellers is a step of the setup.
      await client.invalidateQueries({ queryKey: ENGINE_KEY });
      await client.invalidateQueries({ queryKey: connectionsQuery.queryKey });
      await client.invalidateQueries({ queryKey: ['setup'] });
    },
  });
}

/** One row holds settings and limits: the limits contain two fields of the settings, and their version. */
function withSettings<Form extends RepricingLimitsForm>(
  limits: Form,
  { autoRepricing, checkInterval, version }: Settings,
): Form {
  return { ...limits, autoRepricing, checkIntervalMinutes: checkInterval, version };
}
