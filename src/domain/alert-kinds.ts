/**
 * What people are told of by itself, the most urgent first.
 * `halted` everything is halted · `mode_reset` an upgrade, new keys, a switch in the settings, a restored backup or a rest
 * of more than a day put marketplaces back to observing · `no_check` prices are not checked as often as they should be · `sending_stuck` a marketplace takes no
 * prices · `unknown` prices of which nobody knows for an hour whether they are live · `refused` prices that a
 * marketplace refused · `connection` a marketplace does not answer · `credentials` a key or consent ends soon ·
 * `lowered_floors` somebody lowered lowest allowed prices of live listings by more than 20% · `hidden_clients` the proxy in
 * front does not say who calls · `below_floor` listings below their margin floor · `rule_inactive` a rule that decided and no longer does.
 */
export const ALERT_KINDS = [
  'halted',
  'mode_reset',
  'no_check',
  'sending_stuck',
  'unknown',
  'refused',
  'connection',
  'credentials',
  'lowered_floors',
  'hidden_clients',
  'below_floor',
  'rule_inactive',
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** What administrators alone are told of: nobody else can do anything about it. */
export const ADMIN_ALERT_KINDS = ['lowered_floors', 'hidden_clients'] as const satisfies readonly AlertKind[];
