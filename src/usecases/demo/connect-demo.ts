import { randomUUID } from 'node:crypto';
import { EditSettings } from '#contract/settings.ts';
import type { Db } from '#db/client.ts';
import { listUsers } from '#db/queries/identity/users.ts';
import { dropTokens } from '#db/queries/marketplaces/connections/integrations.ts';
import { credentialsOf } from '#domain/connections/credentials.ts';
import { MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';
import type { SecretKeys } from '#usecases/identity/encryption/secret-keys.ts';
import { maskedSettings } from '#usecases/marketplaces/settings/masked-settings.ts';
import { saveSettings } from '#usecases/marketplaces/settings/save-settings.ts';
import { readStoredSettings } from '#usecases/marketplaces/settings/stored-credentials.ts';
import { DEMO_LOGIN } from './demo-login.ts';

interface ConnectDeps {
  readonly db: Db;
  readonly secrets: SecretKeys;
  readonly now: () => Instant;
}

type Members = Readonly<Record<string, string>>;

/** The credentials of the simulated services, by the names of the settings. */
export type DemoCredentials = Readonly<Record<Marketplace, Members>>;

/** Minutes. A visitor must not wait 15 minutes. */
const CHECK_INTERVAL = 5;
/** The settings do not allow the simulated queue's address: offers are synced instead. */
const OF_THE_QUEUE = /^(sqs|aws)/;

/**
 * Connects the sample store with simulated marketplaces, in the name of its administrator. Settings that a user has
 * saved are kept. Tokens are requested again: the simulated marketplaces lose them when they end.
 */
export async function connectDemo(deps: ConnectDeps, credentials: DemoCredentials): Promise<void> {
  const { db, now } = deps;
  await dropTokens(db, MARKETPLACES);
  const stored = await readStoredSettings(db);
  const owner = (await listUsers(db)).find(({ email }) => email === DEMO_LOGIN.email);
  if (stored.row.version > 1 || owner === undefined) return;
  const { marketplaces, ...rest } = maskedSettings(stored, null);
  const connected = (marketplace: Marketplace) => ({
    ...marketplaces[marketplace],
    ...membersOf(marketplace, credentials[marketplace]),
    enabled: true,
  });
  const edit = EditSettings.parse({
    ...rest,
    checkInterval: CHECK_INTERVAL,
    marketplaces: {
      ...Object.fromEntries(MARKETPLACES.map((marketplace) => [marketplace, connected(marketplace)])),
      michaels: { ...connected('michaels'), allowWrites: 'yes' },
    },
  });
  const editor = { id: owner.id, name: owner.username, address: '127.0.0.1', requestId: randomUUID() };
  await saveSettings({ ...deps, now }, edit, editor, { isStepUpFresh: true, twoFactor: 'none' });
}

function membersOf(marketplace: Marketplace, given: Members): Members {
  const known = credentialsOf(marketplace).filter(({ name }) => name in given && !OF_THE_QUEUE.test(name));
  return Object.fromEntries(known.map(({ name }) => [name, given[name] ?? '']));
}
