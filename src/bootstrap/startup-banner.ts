import { isIP } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import type { Database } from '#db/client.ts';
import { isForThisMachineAlone } from '#server/request-origin.ts';
import type { Config } from '#src/config.ts';
import { DEMO_LOGIN } from '#usecases/demo/demo-login.ts';
import { createSetupToken } from '#usecases/identity/accounts/setup-link.ts';
import { now } from './running-program.ts';

/** For an operator at a terminal; the setup token is shown nowhere else. */
export async function printBanner(
  config: Config,
  { db }: Database,
  version: string,
  address: string,
): Promise<void> {
  const home = homeOf(config, address);
  console.log(`Pricewright ${version} is ready: ${home}`);
  if (config.insecureHttp) {
    console.log('WARNING: PRICEWRIGHT_INSECURE_HTTP=1. Passwords and sessions are sent unencrypted.');
  }
  if (config.isDemo) {
    console.log(
      'This is a demo store on simulated marketplaces. Change anything you like; it is kept apart from your own data.',
    );
    console.log(`Log in as ${DEMO_LOGIN.email} with the password: ${DEMO_LOGIN.password}`);
  }
  const token = config.isDemo ? null : await createSetupToken(db, now());
  if (token !== null) {
    const isHere = isForThisMachineAlone(config);
    if (isHere) {
      console.log('First start: open it on this machine and register. You become the administrator.');
      console.log(
        'A proxy in front makes everyone look like this machine: set PUBLIC_URL and TRUSTED_PROXIES first.',
      );
    }
    const where = isHere ? 'Or' : 'First start: to become the administrator';
    console.log(`${where}, register with this link. It works once, for 24 hours:`);
    console.log(`  ${home}/auth?setup=${token}`);
  }
  console.log('Stop with Ctrl+C.');
}

/**
 * The public address, for links: the configured one, else the one that the server listens on.
 * @param address as the server reports it: "http://127.0.0.1:5000"
 */
export function homeOf(config: Config, address: string): string {
  return config.publicUrl ?? (config.boundToLoopback ? address : addressForOthers(config, address));
}

/** Keeps a host name. "0.0.0.0" is every address of this machine; a link needs one that others can use. */
function addressForOthers({ host }: Config, address: string): string {
  if (isIP(host) === 0) return `http://${host}:${new URL(address).port}`;
  if (host !== '0.0.0.0' && host !== '::') return address;
  const mine = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
  const outward = mine.find(({ internal, family }) => !internal && family === 'IPv4');
  return `http://${outward?.address ?? hostname()}:${new URL(address).port}`;
}
