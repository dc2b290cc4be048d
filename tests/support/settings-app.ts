import type { LightMyRequestResponse } from 'fastify';
import type { Settings } from '#contract/settings.ts';
import type { TestApp } from './test-app.ts';

/** The settings as an administrator's page reads and saves them. */
export interface SettingsPage {
  read(): Promise<Settings>;
  save(payload: object, as?: string): Promise<LightMyRequestResponse>;
  /** The stored settings with some members of some marketplaces changed; saves nothing. */
  withMarkets(over: Record<string, object>): Promise<Settings>;
}

export function settingsPage(shop: TestApp, cookie: string): SettingsPage {
  const read = async (): Promise<Settings> => (await shop.get('/api/settings', cookie)).json();
  return {
    read,
    save: (payload, as = cookie) =>
      shop.post('/api/settings', payload, { method: 'PUT', headers: { cookie: as } }),
    withMarkets: async (over) => {
      const settings = await read();
      const marketplaces: Record<string, object> = { ...settings.marketplaces };
      for (const [name, members] of Object.entries(over)) {
        marketplaces[name] = { ...marketplaces[name], ...members };
      }
      return { ...settings, marketplaces: marketplaces as Settings['marketplaces'] };
    },
  };
}
