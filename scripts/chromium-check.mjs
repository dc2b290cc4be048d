import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { run } from './project.mjs';

/**
 * Why a file is not a Chromium that runs here, or null when it is one. It must name its version and render an
 * empty page: a snap's placeholder or a browser with a library missing passes neither.
 */
export async function chromiumError(binary) {
  const profile = mkdtempSync(path.join(tmpdir(), 'pricewright-chromium-'));
  try {
    // The sandbox is off because root and most containers cannot have one, and only our own pages are shown.
    const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'];
    const version = await start(binary, [...flags, '--version'], profile);
    if (version.fault || !/\d\.\d+\.\d/.test(version.output)) return version.fault ?? 'names no version';
    const page = await start(
      binary,
      [...flags, `--user-data-dir=${profile}`, '--dump-dom', 'about:blank'],
      profile,
    );
    if (page.fault || !page.output.includes('<html')) return page.fault ?? 'shows no page';
    return null;
  } finally {
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function start(binary, args, cwd) {
  const { code, output, error } = await run(binary, args, { capture: true, cwd, timeout: 60_000 });
  if (code === 0) return { output, fault: null };
  return { output, fault: lastWords(output) ?? error ?? `exit code ${code}` };
}

/** The line that names the error: a missing library if one is named, else the last one printed. */
function lastWords(output) {
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.find((line) => line.includes('error while loading shared libraries')) ?? lines.at(-1) ?? null;
}
