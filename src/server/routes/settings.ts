import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { EditSettings, Settings } from '#contract/settings.ts';
import type { AppDeps } from '#server/app-deps.ts';
import { editorOf } from '#server/editor-of.ts';
import { assuranceFor } from '#server/request-guards.ts';
import { maskedSettings, secretProblem } from '#usecases/marketplaces/settings/masked-settings.ts';
import { saveSettings } from '#usecases/marketplaces/settings/save-settings.ts';
import {
  keyForReading,
  readStoredSettings,
  type StoredSettings,
} from '#usecases/marketplaces/settings/stored-credentials.ts';

const config = { access: 'admin' } as const;

async function settingsView(stored: StoredSettings, { secrets }: AppDeps): Promise<Settings> {
  return {
    ...maskedSettings(stored, await keyForReading(secrets)),
    version: stored.row.version,
    secretProblem: await secretProblem(stored, secrets),
  };
}

export const settingsRoutes: FastifyPluginAsyncZod<{ deps: AppDeps }> = async (app, { deps }) => {
  app.get('/api/settings', { config, schema: { response: { 200: Settings } } }, async () =>
    settingsView(await readStoredSettings(deps.db), deps),
  );

  app.put(
    '/api/settings',
    { config, schema: { body: EditSettings, response: { 200: Settings } } },
    async (request) => {
      const saved = await saveSettings(deps, request.body, editorOf(request), assuranceFor(request));
      return settingsView(saved, deps);
    },
  );
};
