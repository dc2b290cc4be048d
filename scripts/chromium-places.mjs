import { accessSync, constants, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

const COMMANDS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const MAC_APPS = [
  'Chromium.app/Contents/MacOS/Chromium',
  'Google Chrome.app/Contents/MacOS/Google Chrome',
  'Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
];

/** The browser inside a folder of Playwright's downloads, named differently by system and by year. */
const DOWNLOADED = ['chrome', 'chrome-headless-shell', 'headless_shell', ...MAC_APPS];

/**
 * Every file that may be a Chromium, in the order to try them: the one that PRICEWRIGHT_CHROMIUM names and then
 * no other, the machine's own, one that we unpacked earlier, one that Playwright downloaded.
 * `host` is { env, platform, home, root }.
 */
export function chromiumPlaces(host) {
  if (host.env.PRICEWRIGHT_CHROMIUM) return [host.env.PRICEWRIGHT_CHROMIUM];
  return [...inPath(host, COMMANDS), ...macApps(host), ...unpacked(host), ...playwrightPlaces(host)];
}

function inPath({ env }, names) {
  const folders = (env.PATH ?? '').split(path.delimiter).filter((folder) => folder !== '');
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name))).filter(isProgram);
}

/** The full path of a command, or null when PATH has none of that name. */
export function command(host, name) {
  return inPath(host, [name])[0] ?? null;
}

function macApps({ platform, home }) {
  if (platform !== 'darwin') return [];
  const folders = ['/Applications', path.join(home, 'Applications')];
  return folders.flatMap((folder) => MAC_APPS.map((app) => path.join(folder, app))).filter(isProgram);
}

/** Folders that may hold what we unpacked ourselves: one per user, else one per project. */
function ownFolders({ env, home, root }) {
  const caches = env.XDG_CACHE_HOME || path.join(home, '.cache');
  return [path.join(caches, 'pricewright/chromium'), path.join(root, '.cache/chromium')];
}

function unpacked(host) {
  return ownFolders(host)
    .map((folder) => path.join(folder, 'run'))
    .filter(isProgram);
}

/** The first of our folders that can be written to, made if missing. */
export function ownFolder(host) {
  const writable = ownFolders(host).find((folder) => {
    try {
      mkdirSync(folder, { recursive: true });
      accessSync(folder, constants.W_OK);
      return true;
    } catch {
      // Some accounts have no home, or not one of their own: the next folder is tried.
      return false;
    }
  });
  if (writable === undefined) throw new Error(`none of ${ownFolders(host).join(', ')} can be written to`);
  return writable;
}

/** The browsers that Playwright has downloaded, newest first. */
export function playwrightPlaces(host) {
  const cache = playwrightCache(host);
  if (!existsSync(cache)) return [];
  return readdirSync(cache)
    .filter((name) => /^chromium(_headless_shell)?-\d+$/.test(name))
    .sort((a, b) => revision(b) - revision(a))
    .map((name) => path.join(cache, name))
    .flatMap((build) => subfolders(build))
    .flatMap((folder) => DOWNLOADED.map((name) => path.join(folder, name)))
    .filter(isProgram);
}

/** As documented at https://playwright.dev/docs/browsers: PLAYWRIGHT_BROWSERS_PATH=0 means next to the package. */
function playwrightCache({ env, platform, home, root }) {
  const asked = env.PLAYWRIGHT_BROWSERS_PATH;
  if (asked === '0') return path.join(root, 'node_modules/playwright-core/.local-browsers');
  if (asked) return asked;
  if (platform === 'darwin') return path.join(home, 'Library/Caches/ms-playwright');
  return path.join(env.XDG_CACHE_HOME || path.join(home, '.cache'), 'ms-playwright');
}

function revision(name) {
  return Number(name.slice(name.lastIndexOf('-') + 1));
}

function subfolders(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => path.join(folder, entry.name));
}

function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
