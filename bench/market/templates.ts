import { RULE_TEMPLATES } from '#domain/lines/templates.ts';
import { bps } from '#domain/units.ts';
import { linesEngine } from './engine-policy.ts';
import type { Policy } from './observation.ts';

const TARGET_MARGIN = bps(3_500);

/** A policy from the text of a rule. @throws Error for a text that cannot be read */
export function ruleOfLines(name: string, text: string): Policy {
  return linesEngine(name, text, TARGET_MARGIN);
}

/** Rules with lines: what sellers would start from. */
export const TEMPLATE_POLICIES: readonly Policy[] = RULE_TEMPLATES.map(({ name, lines }) =>
  ruleOfLines(name, lines),
);
