import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Figure } from './report.ts';

const WEB = join(import.meta.dirname, '../../dist/web');
const KB = 1_000;

interface Chunk {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly isDynamicEntry?: boolean;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}
type Manifest = Readonly<Record<string, Chunk>>;

/** The build's sizes as they travel: what every visit loads, and the largest that a screen adds to it. */
export function measureBundle(): Figure[] {
  const manifest = JSON.parse(readFileSync(join(WEB, '.vite/manifest.json'), 'utf8')) as Manifest;
  const entry = Object.keys(manifest).find((name) => manifest[name]?.isEntry === true);
  if (entry === undefined) throw new Error('The build has no entry: npm run build first.');
  const shell = closure(manifest, entry);
  const typefaces = Object.keys(manifest).filter((name) => name.endsWith('.woff2'));
  const rest = Object.keys(manifest).filter((name) => !shell.has(name) && !typefaces.includes(name));
  const [screen, shared] = [true, false].map((isScreen) =>
    largest(
      manifest,
      rest.filter((name) => (manifest[name]?.isDynamicEntry === true) === isScreen),
    ),
  );
  const css = new Set(Object.values(manifest).flatMap((chunk) => chunk.css ?? []));
  const styles = [...css].reduce((sum, file) => sum + gzipped(file), 0);
  return [
    {
      name: 'Entry JavaScript',
      value: sizeOf(manifest, shell) / KB,
      unit: 'kB',
      goal: 215,
      decimals: 1,
    },
    { ...CHUNK, name: `Largest screen (${screen?.name})`, value: screen?.size ?? 0, goal: 60 },
    { ...CHUNK, name: `Largest shared part (${shared?.name})`, value: shared?.size ?? 0, goal: 45 },
    { ...CHUNK, name: 'Typeface', value: sizeOf(manifest, typefaces) / KB, goal: 50 },
    { name: 'All CSS', value: styles / KB, unit: 'kB', goal: 20, decimals: 1 },
  ];
}

const CHUNK = { unit: 'kB', decimals: 1 } as const;

function largest(manifest: Manifest, names: readonly string[]): { name: string; size: number } | undefined {
  return names
    .map((name) => ({ name: name.split('/').at(-1) ?? name, size: sizeOf(manifest, [name]) / KB }))
    .sort((a, b) => b.size - a.size)[0];
}

/** A chunk with everything that it imports before it runs. */
function closure(manifest: Manifest, name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  for (const next of manifest[name]?.imports ?? []) closure(manifest, next, found);
  return found;
}

function sizeOf(manifest: Manifest, names: Iterable<string>): number {
  let sum = 0;
  for (const name of names) sum += gzipped(manifest[name]?.file ?? '');
  return sum;
}

const gzipped = (file: string): number => gzipSync(readFileSync(join(WEB, file))).length;
