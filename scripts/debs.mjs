import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chromiumError } from './chromium-check.mjs';
import { ownFolder } from './chromium-places.mjs';
import { run } from './project.mjs';

/**
 * Downloads Debian packages, and those they need that this machine lacks, and unpacks them for this user alone:
 * no root, nothing outside our folder. `program(folder)` names the browser to start with them. Answers { binary },
 * a small script that sets the paths, or { fault }.
 */
export async function unpackDebs(host, packages, program) {
  const home = ownFolder(host);
  const work = path.join(home, 'work');
  const tree = path.join(home, 'tree');
  rmSync(work, { recursive: true, force: true });
  try {
    const fault = (await download(work, packages)) ?? (await unpack(work, path.join(work, 'tree')));
    if (fault !== null) return { fault };
    rmSync(tree, { recursive: true, force: true });
    renameSync(path.join(work, 'tree'), tree);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  const binary = path.join(home, 'run');
  writeFileSync(path.join(tree, 'fonts.conf'), fontSettings(tree));
  writeFileSync(binary, startScript(tree, program(tree)), { mode: 0o755 });
  const fault = await chromiumError(binary);
  return fault === null ? { binary } : { fault: `the unpacked chromium does not start: ${fault}` };
}

/** Reinstalled too: what is installed may be the very thing that does not start. */
const DOWNLOAD = ['install', '-y', '--download-only', '--reinstall', '--no-install-recommends'];

/** apt works on lists and a cache of our own; only the list of what is installed is the machine's. */
async function download(work, packages) {
  for (const folder of ['state/lists/partial', 'cache/archives/partial']) {
    mkdirSync(path.join(work, folder), { recursive: true });
  }
  const own = Object.entries({
    'Dir::State': path.join(work, 'state'),
    'Dir::State::status': '/var/lib/dpkg/status',
    'Dir::Cache': path.join(work, 'cache'),
    'Debug::NoLocking': '1',
    // No root, so there is nothing to drop to; and hooks are for the machine's own cache.
    'APT::Sandbox::User': '',
  }).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  for (const args of [['update'], DOWNLOAD.concat(packages)]) {
    const { code, output, error } = await run('apt-get', [...own, ...args], {
      capture: true,
      timeout: 900_000,
    });
    if (code !== 0)
      return `apt-get ${args[0]} failed: ${error ?? /^E: .*$/m.exec(output)?.[0] ?? `exit code ${code}`}`;
  }
  return null;
}

async function unpack(work, tree) {
  const archives = path.join(work, 'cache/archives');
  // The C library stays the machine's: its loader and its library must be of one version.
  const debs = readdirSync(archives).filter((name) => name.endsWith('.deb') && !/^libc6_/.test(name));
  if (debs.length === 0) return 'apt-get had nothing to download';
  for (const deb of debs) {
    const { code, output } = await run('dpkg-deb', ['-x', path.join(archives, deb), tree], { capture: true });
    if (code !== 0) return `dpkg-deb could not unpack ${deb}: ${output.trim()}`;
  }
  return null;
}

function startScript(tree, program) {
  return `#!/bin/sh
# Written by scripts/debs.mjs: starts a browser with libraries and fonts that were unpacked, not installed.
export LD_LIBRARY_PATH='${libraryFolders(tree).join(':')}'
export FONTCONFIG_FILE='${path.join(tree, 'fonts.conf')}'
exec '${program}' "$@"
`;
}

/** Every folder with a shared library in it: some packages keep theirs one level down. */
function libraryFolders(tree) {
  const folders = ['usr/lib', 'lib']
    .map((name) => path.join(tree, name))
    .filter((folder) => existsSync(folder));
  const libraries = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
      /^lib.*\.so(\.|$)/.test(entry.name),
    ),
  );
  return [...new Set(libraries.map((entry) => entry.parentPath))].sort();
}

function fontSettings(tree) {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <dir>${path.join(tree, 'usr/share/fonts')}</dir>
  <cachedir>${path.join(tree, 'font-cache')}</cachedir>
</fontconfig>
`;
}
