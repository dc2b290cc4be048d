import type { Db } from '#db/client.ts';
import { readJumps } from '#db/queries/catalog/import-jumps.ts';
import type { CostJump } from '#db/schema/imports.ts';
import { factorOf } from './cost-effect.ts';
import { beyondCheck } from './import-step-up.ts';

type Values = Pick<CostJump, 'from' | 'to'>;

/**
 * Compares the costs and weights that one batch of an import changes by a factor of 3 or more with those that its check
 * showed and the user confirmed.
 * @param kept rows that stay imported when it ends here
 * @throws AppError conflict for one that was not shown, or is larger than shown
 */
export async function rejectUnshownJumps(
  tx: Db,
  importId: number,
  jumps: readonly CostJump[],
  kept: number,
): Promise<void> {
  if (jumps.length === 0) return;
  const shown = await readJumps(
    tx,
    importId,
    jumps.map(({ sku }) => sku),
  );
  const shownOf = new Map(shown.map((jump) => [keyOf(jump), jump]));
  const unshown = jumps.filter((jump) => !isShown(shownOf.get(keyOf(jump)), jump));
  const [first] = unshown;
  if (first === undefined) return;
  const values =
    unshown.length === 1 ? '1 cost or weight' : `${unshown.length.toLocaleString('en-US')} costs or weights`;
  const named = `${unshown.length === 1 ? '' : 'the first: '}${first.sku}, from ${first.from} to ${first.to}`;
  throw beyondCheck(`${values} would change by a factor of 3 or more (${named})`, kept);
}

const keyOf = ({ sku, field }: Pick<CostJump, 'sku' | 'field'>): string => `${field} ${sku}`;

function isShown(shown: Values | undefined, jump: Values): boolean {
  if (shown === undefined || Number(shown.to) !== Number(jump.to)) return false;
  return isRise(shown) === isRise(jump) && factorOf(jump) <= factorOf(shown);
}

const isRise = ({ from, to }: Values): boolean => Number(to) > Number(from);
