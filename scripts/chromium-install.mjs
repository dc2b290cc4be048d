import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { chromiumError } from './chromium-check.mjs';
import { chromiumPlaces, command, playwrightPlaces } from './chromium-places.mjs';
import { unpackDebs } from './debs.mjs';
import { run } from './project.mjs';

const DOWNLOAD_HOST = 'cdn.playwright.dev';
const MINUTE = 60_000;

/**
 * Three ways to a Chromium. `install(host, announce)` answers { binary } or { fault }, a reason for people; it
 * calls `announce` before it does anything that takes long.
 */
export const fromPlaywright = {
  what: 'trying the Chromium that Playwright offers for download',
  async install(host, announce) {
    const cached = playwrightPlaces(host)[0];
    if (!cached && !(await downloadMakesSense(host))) {
      return { fault: `${DOWNLOAD_HOST}, where Playwright downloads from, cannot be reached` };
    }
    announce();
    if (!cached) {
      const env = { ...process.env, PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '10000' };
      const { code, output, error } = await playwright(host, ['install', '--only-shell', 'chromium'], {
        env,
      });
      if (code !== 0) return { fault: `Playwright's download failed: ${error ?? errorLine(output)}` };
    }
    const binary = playwrightPlaces(host)[0];
    if (!binary) return { fault: "Playwright's download brought no browser for this system" };
    const fault = await chromiumError(binary);
    return fault === null ? { binary } : addLibraries(host, binary, fault);
  },
};

/** Ways around (a mirror, a proxy) are Playwright's own business: then it is simply tried. */
async function downloadMakesSense({ env }) {
  const detours = ['PLAYWRIGHT_DOWNLOAD_HOST', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy'];
  return detours.some((name) => env[name]) || reachable(DOWNLOAD_HOST, 443);
}

function reachable(host, port) {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 5_000 });
    const answer = (yes) => {
      socket.destroy();
      resolve(yes);
    };
    socket
      .on('connect', () => answer(true))
      .on('error', () => answer(false))
      .on('timeout', () => answer(false));
  });
}

function playwright({ root }, args, options = {}, before = []) {
  const cli = path.join(root, 'node_modules/@playwright/test/cli.js');
  const [program, ...rest] = [...before, process.execPath, cli, ...args];
  return run(program, rest, { capture: true, timeout: 10 * MINUTE, ...options });
}

/** Playwright's browser brings no system libraries. It knows the packages that do, by distribution. */
async function addLibraries(host, binary, fault) {
  const asRoot = await rootPrefix(host);
  if (asRoot !== null) {
    await playwright(host, ['install-deps', 'chromium'], {}, asRoot);
    const left = await chromiumError(binary);
    return left === null ? { binary } : { fault: `${binary} does not start: ${left}` };
  }
  const { output } = await playwright(host, ['install-deps', '--dry-run', 'chromium']);
  const needed = [...output.matchAll(/^ {2}((?:lib|fonts-liberation)\S*)$/gm)].map((match) => match[1]);
  if (needed.length === 0 || !canUnpack(host)) return { fault: `${binary} does not start: ${fault}` };
  return unpackDebs(host, needed, () => binary);
}

const MANAGERS = {
  'apt-get': [
    ['update'],
    ['-o', 'DPkg::Lock::Timeout=120', 'install', '-y', '--no-install-recommends', 'chromium'],
  ],
  dnf: [['install', '-y', 'chromium']],
  apk: [['add', 'chromium']],
  pacman: [['-Sy', '--noconfirm', 'chromium']],
};

export const fromPackageManager = {
  what: "installing chromium with the system's package manager",
  async install(host, announce) {
    const manager = Object.keys(MANAGERS).find((name) => command(host, name));
    if (!manager) return { fault: 'there is no apt-get, dnf, apk or pacman here' };
    if (isUbuntu()) return { fault: "Ubuntu's chromium package is a snap, which tests cannot drive" };
    const asRoot = await rootPrefix(host);
    if (asRoot === null)
      return { fault: `${manager} needs root, and sudo without a password is not allowed` };
    announce();
    for (const args of MANAGERS[manager]) {
      const [program, ...rest] = [...asRoot, 'env', 'DEBIAN_FRONTEND=noninteractive', manager, ...args];
      const { code, output, error } = await run(program, rest, { capture: true, timeout: 15 * MINUTE });
      // A stale list of one repository is no reason to give up; the install tells.
      if (code !== 0 && args[0] !== 'update')
        return { fault: `${manager} failed: ${error ?? errorLine(output)}` };
    }
    return firstThatRuns(chromiumPlaces(host), `${manager} installed no chromium that runs`);
  },
};

export const fromUnpackedPackages = {
  what: 'unpacking the chromium package and what it needs into a folder of our own, without root',
  async install(host, announce) {
    if (!canUnpack(host)) return { fault: 'without root, packages can be unpacked on Debian only' };
    if (isUbuntu()) return { fault: "Ubuntu's chromium package is a snap, which cannot be unpacked" };
    announce();
    return unpackDebs(host, ['chromium', 'chromium-common'], (folder) =>
      path.join(folder, 'usr/lib/chromium/chromium'),
    );
  },
};

async function firstThatRuns(places, fault) {
  for (const place of places) if ((await chromiumError(place)) === null) return { binary: place };
  return { fault };
}

/** The words that turn a command into one run by root: none as root, sudo's if it asks nothing, else null. */
async function rootPrefix(host) {
  if (process.getuid?.() === 0) return [];
  if (!command(host, 'sudo')) return null;
  const { code } = await run('sudo', ['-n', 'true'], { capture: true, timeout: 10_000 });
  return code === 0 ? ['sudo', '-n'] : null;
}

function canUnpack(host) {
  return ['apt-get', 'dpkg-deb'].every((name) => command(host, name) !== null);
}

function isUbuntu() {
  try {
    return /^ID=ubuntu$/m.test(readFileSync('/etc/os-release', 'utf8'));
  } catch {
    return false;
  }
}

/** The line to show of a failed tool's output. */
function errorLine(output) {
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.find((line) => /^(E:|Error:|error:)/.test(line)) ?? lines.at(-1) ?? 'it said nothing';
}
