import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SignedInBrowser } from '#tests/e2e/signed-in-browser.ts';
import { type Figure, median } from './report.ts';

/** Not a dependency: its hundred packages serve nobody but this measurement. */
const VERSION = '12.8.2';
const HOME = join(import.meta.dirname, '../../.cache/bench/lighthouse');
const GOALS = { accessibility: 95, 'best-practices': 95, performance: 90 } as const;
type Category = keyof typeof GOALS;

interface Result {
  readonly lhr: {
    readonly categories: Readonly<Record<Category, { readonly score: number | null }>>;
    readonly runtimeError?: { readonly message: string };
  };
}
type Lighthouse = (url: string, flags: object, config: object) => Promise<Result>;

/** The three scores of the Dashboard and of Listings. */
export async function runLighthouse(browser: SignedInBrowser, rounds: number): Promise<Figure[]> {
  const lighthouse = await loadLighthouse();
  const figures: Figure[] = [];
  for (const path of ['/', '/listings']) {
    const scores: Record<Category, number[]> = { accessibility: [], 'best-practices': [], performance: [] };
    for (let round = 0; round < rounds; round++) {
      const { lhr } = await lighthouse(
        `${browser.url}${path}`,
        {
          port: browser.debugPort,
          logLevel: 'error',
          onlyCategories: Object.keys(GOALS),
          disableStorageReset: true,
          extraHeaders: { Cookie: browser.cookies },
        },
        DESKTOP,
      );
      if (lhr.runtimeError)
        throw new Error(`Lighthouse could not look at ${path}: ${lhr.runtimeError.message}`);
      for (const category of Object.keys(GOALS) as Category[])
        scores[category].push((lhr.categories[category].score ?? 0) * 100);
    }
    for (const category of Object.keys(GOALS) as Category[])
      figures.push({
        name: `${category} of ${path}`,
        value: median(scores[category]),
        unit: '',
        goal: GOALS[category],
        is: 'least',
      });
  }
  return figures;
}

/** A back-office is used at a desk: Lighthouse's own desktop settings. */
const DESKTOP = {
  extends: 'lighthouse:default',
  settings: {
    formFactor: 'desktop',
    screenEmulation: { mobile: false, width: 1440, height: 900, deviceScaleFactor: 1, disabled: false },
    throttling: {
      rttMs: 40,
      throughputKbps: 10_240,
      cpuSlowdownMultiplier: 1,
      requestLatencyMs: 0,
      downloadThroughputKbps: 0,
      uploadThroughputKbps: 0,
    },
  },
};

async function loadLighthouse(): Promise<Lighthouse> {
  const entry = join(HOME, 'node_modules/lighthouse/core/index.js');
  if (!existsSync(entry)) {
    mkdirSync(HOME, { recursive: true });
    writeFileSync(join(HOME, 'package.json'), '{ "private": true }\n');
    const { status } = spawnSync(
      'npm',
      ['install', `lighthouse@${VERSION}`, '--no-save', '--ignore-scripts'],
      {
        cwd: HOME,
        stdio: ['ignore', 'inherit', 'inherit'],
      },
    );
    if (status !== 0) throw new Error(`lighthouse@${VERSION} could not be installed into ${HOME}.`);
  }
  const loaded = (await import(pathToFileURL(entry).href)) as { default: Lighthouse };
  return loaded.default;
}
