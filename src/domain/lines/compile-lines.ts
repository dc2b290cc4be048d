import { type CompiledCondition, compileCondition, looksAtCompetitors } from './compile-condition.ts';
import { type CompiledTarget, compileTarget } from './compile-target.ts';
import type { Condition, IfTooLow, Line, LineAction, Shift, Turn } from './line.ts';

/** What a line does, prepared for many listings. */
export type CompiledAction =
  | { readonly kind: 'hold' }
  | {
      readonly kind: 'ask';
      readonly target: CompiledTarget;
      readonly notUnder: CompiledTarget | null;
      readonly notOver: CompiledTarget | null;
      readonly ifTooLow: IfTooLow;
    }
  | {
      readonly kind: 'raise' | 'lower';
      readonly by: Shift;
      readonly every: number;
      readonly to: CompiledTarget | null;
    };

export interface CompiledLine {
  readonly line: Line;
  /** From 1. */
  readonly number: number;
  readonly conditions: readonly CompiledCondition[];
  readonly action: CompiledAction;
  readonly turn: Turn | null;
  /** Its prices are only recommended. */
  readonly asksFirst: boolean;
  /** May decide while competitors are not read. */
  readonly namesNotRead: boolean;
  /** This line, or one above it, looks at competitors. */
  readonly dependsOnCompetitors: boolean;
  /** This line itself does. */
  readonly looksAtCompetitors: boolean;
}

/** The lines of a rule, prepared once for many listings. */
export interface CompiledLines {
  readonly lines: readonly CompiledLine[];
  readonly lookAtCompetitors: boolean;
}

const compiled = new WeakMap<readonly Line[], CompiledLines>();

/** The prepared lines of a rule: lines never change, so they are prepared once. */
export function compileLines(lines: readonly Line[]): CompiledLines {
  return compiled.get(lines) ?? newlyCompiled(lines);
}

function newlyCompiled(lines: readonly Line[]): CompiledLines {
  const all: CompiledLine[] = [];
  let dependsOnCompetitors = false;
  for (const line of lines) {
    const action = compileAction(line.action);
    const looks = line.when.some(looksAtCompetitors) || actionLooks(action);
    dependsOnCompetitors ||= looks;
    all.push({
      line,
      number: all.length + 1,
      conditions: line.when.map(compileCondition),
      action,
      turn: line.turn,
      asksFirst: line.asksFirst,
      namesNotRead: namesNotRead(line),
      dependsOnCompetitors,
      looksAtCompetitors: looks,
    });
  }
  const result = { lines: all, lookAtCompetitors: dependsOnCompetitors };
  compiled.set(lines, result);
  return result;
}

/** Whether a line may decide while competitors are not read. */
export function namesNotRead({ when }: Line): boolean {
  return when.some((condition) => condition.kind === 'situation' && condition.any.includes('not_read'));
}

/** Whether a price that a line asks for, or is bounded by, comes from competitors. */
export function hasCompetitiveTarget({ action }: Line): boolean {
  return actionLooks(compileAction(action));
}

function actionLooks(action: CompiledAction): boolean {
  return targetsOf(action).some((target) => target.looksAtCompetitors);
}

/** Every price that an action asks for or is bounded by. */
export function targetsOf<One>(
  action:
    | { readonly kind: 'hold' }
    | {
        readonly kind: 'ask';
        readonly target: One;
        readonly notUnder: One | null;
        readonly notOver: One | null;
      }
    | { readonly kind: 'raise' | 'lower'; readonly to: One | null },
): One[] {
  if (action.kind === 'hold') return [];
  const targets = action.kind === 'ask' ? [action.target, action.notUnder, action.notOver] : [action.to];
  return targets.filter((target) => target !== null);
}

/** Whether a line asks what we ask for the SKU on another marketplace. */
export function asksOtherChannels(lines: readonly Line[]): boolean {
  return lines.some(({ action }) => targetsOf(action).some(({ kind }) => kind === 'channel'));
}

const sisterSkus = new WeakMap<readonly Line[], readonly string[]>();
const NO_SKUS: readonly string[] = [];

/** The SKUs of other listings of ours whose prices the lines name, each once. */
export function sistersIn(lines: readonly Line[]): readonly string[] {
  const known = sisterSkus.get(lines);
  if (known !== undefined) return known;
  const skus = new Set(
    lines.flatMap(({ action }) =>
      targetsOf(action).flatMap((target) => (target.kind === 'sister' ? [target.sku] : [])),
    ),
  );
  const found = skus.size === 0 ? NO_SKUS : [...skus];
  sisterSkus.set(lines, found);
  return found;
}

const SALES: ReadonlySet<Condition['kind']> = new Set(['sold', 'no_sale', 'supply']);

/** Whether a line depends on what was sold. */
export function asksForSales(lines: readonly Line[]): boolean {
  return lines.some(({ when }) => when.some(({ kind }) => SALES.has(kind)));
}

/** Whether a line depends on whether competitors follow. */
export function asksWhetherTheyFollow(lines: readonly Line[]): boolean {
  return lines.some(({ when }) => when.some(({ kind }) => kind === 'follow'));
}

const TIMES: ReadonlySet<Condition['kind']> = new Set(['hours', 'weekdays', 'dates']);

/** Whether a line depends on the time where the shop is. */
export function asksForTime(lines: readonly Line[]): boolean {
  return lines.some(({ when }) => when.some(({ kind }) => TIMES.has(kind)));
}

function compileAction(action: LineAction): CompiledAction {
  switch (action.kind) {
    case 'hold':
      return action;
    case 'ask':
      return {
        kind: 'ask',
        target: compileTarget(action.target),
        notUnder: action.notUnder === null ? null : compileTarget(action.notUnder),
        notOver: action.notOver === null ? null : compileTarget(action.notOver),
        ifTooLow: action.ifTooLow,
      };
    case 'raise':
    case 'lower':
      return {
        kind: action.kind,
        by: action.by,
        every: action.every,
        to: action.to === null ? null : compileTarget(action.to),
      };
  }
}
