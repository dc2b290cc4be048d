import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromiumError } from './chromium-check.mjs';
import { fromPackageManager, fromPlaywright, fromUnpackedPackages } from './chromium-install.mjs';
import { chromiumPlaces, ownFolder } from './chromium-places.mjs';
import { withLock } from './lock.mjs';
import { main, PlainError, root, say } from './project.mjs';

const thisHost = () => ({ env: process.env, platform: process.platform, home: homedir(), root });

/**
 * A Chromium on this machine that really runs: { binary, faults }. `binary` is null when there is none;
 * `faults` says of each one tried why it is no good. Never installs anything.
 * @public
 */
export async function findChromium(host = thisHost()) {
  const faults = [];
  for (const place of chromiumPlaces(host)) {
    const fault = existsSync(place) ? await chromiumError(place) : 'there is no such file';
    if (fault === null) return { binary: place, faults };
    faults.push(`${place}: ${fault}`);
  }
  return { binary: null, faults };
}

/** The path of a Chromium that runs; installs one if there is none. Throws one sentence when nothing helped. */
export async function ensureChromium(host = thisHost()) {
  const found = await findChromium(host);
  if (found.binary !== null) return found.binary;
  if (host.env.PRICEWRIGHT_CHROMIUM) {
    throw new PlainError(`PRICEWRIGHT_CHROMIUM is no Chromium that runs here (${found.faults[0]}).`);
  }
  const lock = path.join(ownFolder(host), 'install.lock');
  return withLock(lock, async () => {
    const again = await findChromium(host);
    return again.binary ?? installChromium(host, again.faults);
  });
}

async function installChromium(host, faults) {
  const tried = faults.length > 0 ? [...faults] : ['there is no Chromium on this machine'];
  let told = 0;
  for (const step of [fromPlaywright, fromPackageManager, fromUnpackedPackages]) {
    const announce = () => {
      say(`Chromium: ${tried.slice(told).join('; ')}; so ${step.what}.`);
      told = tried.length;
    };
    const { binary, fault } = await step.install(host, announce);
    if (binary) return binary;
    tried.push(fault);
  }
  throw new PlainError(
    `The browser tests need Chromium and it could not be installed (${tried.join('; ')}). Install Chromium or Chrome, or set PRICEWRIGHT_CHROMIUM to one.`,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(async () => console.log(await ensureChromium()));
}
