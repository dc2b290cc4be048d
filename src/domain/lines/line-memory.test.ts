import { describe, expect, test } from 'vitest';
import type { DecidingLine } from '#domain/decision/decision.ts';
import { hours, type Instant } from '#domain/units.ts';
import { NOW } from '#tests/builders/facts.ts';
import { NOTHING_REMEMBERED, rememberDecision } from './line-memory.ts';

const LATER = (NOW + hours(1)) as Instant;

function decided(over: Partial<DecidingLine>): DecidingLine {
  const line = { number: 1, situation: null, startsTurn: false, asksFirst: false, notUnder: null };
  return { ...line, dependsOnCompetitors: false, ...over };
}

describe('what lines remember', () => {
  test('a situation lasts from the decision that saw it first', () => {
    const first = rememberDecision(NOTHING_REMEMBERED, decided({ situation: 'winning' }), NOW);
    expect(first.situation).toEqual({ kind: 'winning', since: NOW });
    expect(rememberDecision(first, decided({ situation: 'winning', number: 2 }), LATER)).toBe(first);
    const other = rememberDecision(first, decided({ situation: 'losing' }), LATER);
    expect(other.situation).toEqual({ kind: 'losing', since: LATER });
  });

  test('lines that do not look at competitors see no situation', () => {
    const seen = rememberDecision(NOTHING_REMEMBERED, decided({ situation: 'alone' }), NOW);
    expect(rememberDecision(seen, decided({}), LATER)).toEqual(NOTHING_REMEMBERED);
  });

  test('a turn begins with the decision that starts it, and each line has its own', () => {
    const one = rememberDecision(NOTHING_REMEMBERED, decided({ number: 2, startsTurn: true }), NOW);
    const two = rememberDecision(one, decided({ number: 4, startsTurn: true }), LATER);
    expect(two.turns).toEqual({ 2: NOW, 4: LATER });
  });

  test('a listing that no line was asked about keeps what is known of it', () => {
    const seen = rememberDecision(NOTHING_REMEMBERED, decided({ situation: 'winning' }), NOW);
    expect(rememberDecision(seen, null, LATER)).toBe(seen);
  });
});
