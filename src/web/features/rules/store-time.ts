import { useQuery } from '@tanstack/react-query';
import type { RuleForm } from '#contract/rules.ts';
import { asksForTime } from '#domain/lines/compile-lines.ts';
import { parseLines } from '#domain/lines/parse-lines.ts';
import { ruleListQuery } from './queries.ts';

/** Where the store is; null while it is not set, and hours, days and dates count in UTC; undefined while it is loaded. */
export function useStoreZone(): string | null | undefined {
  return useQuery({ ...ruleListQuery, select: ({ timeZone }) => timeZone }).data;
}

/** The zone in which times count, by name. */
export function zoneName(zone: string | null | undefined): string {
  return zone ?? 'UTC';
}

/** Whether lines ask for hours, days or dates; lines that are not understood do not. */
export function haveTimes(lines: string | null | undefined): boolean {
  return asksForTime(parseLines(lines ?? '').lines ?? []);
}

/** Whether a rule depends on the time where the store is. */
export function dependsOnTime({ lines, schedule }: Pick<RuleForm, 'lines' | 'schedule'>): boolean {
  return (schedule ?? null) !== null || haveTimes(lines);
}
