import type { KeyDefinition } from '#web/lib/keys.ts';
import type { Screen } from './navigation.ts';

/** The second key of "G then D". Does nothing for a screen that is missing or that this user may not open. */
const LETTERS: Readonly<Record<string, string>> = {
  '/': 'D',
  '/listings': 'L',
  '/profit': 'P',
  '/skus': 'K',
  '/bundles': 'B',
  '/rules': 'R',
  '/shipping-tiers': 'T',
  '/history': 'H',
  '/costs': 'C',
  '/users': 'U',
  '/audit': 'A',
  '/settings': 'S',
};

/** The key that opens a screen; null if it has none. */
export function goKey({ path, label }: Pick<Screen, 'path' | 'label'>): KeyDefinition | null {
  const letter = LETTERS[path];
  return letter === undefined ? null : { keys: [`G ${letter}`], label, group: 'Go to' };
}
