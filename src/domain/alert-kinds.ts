/**
 * The kinds of alert, most urgent first.
 * `halted` repricing is halted · `mode_reset` an upgrade, new credentials, a changed setting, a restored backup or a downtime
 * of more than a day reset marketplaces to recommend only · `no_check` prices are not checked in time · `sending_stuck` a marketplace accepts no
 * prices · `external_edit` a price was changed on its marketplace to one that is not allowed, or keeps going back there · `unknown` prices that have been neither confirmed nor rejected for an hour · `refused` prices that a
 * marketplace rejected · `sending_paused` a marketplace accepts no price of ten listings or more for now · `connection` a marketplace does not respond · `credentials` an API key or authorization expires soon · `webhook_receiver` events do not arrive at a receiver of webhooks ·
 * `fee_breaker` a marketplace reported other fees for many listings at once, and no administrator has accepted or rejected them ·
 * `fee_drift` a marketplace reported another commission than the fee schedule has, or charges another fulfillment fee than was entered · `lowered_floors` a user lowered lowest allowed prices of live listings by more than 20% · `hidden_clients` the reverse proxy
 * does not forward client addresses · `business_price` prices for business buyers on a marketplace are too low, or hidden by a lower regular price · `below_floor` listings below their margin floor, or sold below it by Best Offers · `rule_inactive` a rule that no longer prices any listing · `backup` the scheduled backup fails or is overdue, or a restore is not confirmed.
 */
export const ALERT_KINDS = [
  'halted',
  'mode_reset',
  'no_check',
  'sending_stuck',
  'external_edit',
  'unknown',
  'refused',
  'sending_paused',
  'connection',
  'credentials',
  'webhook_receiver',
  'fee_breaker',
  'fee_drift',
  'backup',
  'lowered_floors',
  'hidden_clients',
  'below_floor',
  'business_price',
  'rule_inactive',
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** Alerts for administrators only, since other users cannot resolve them. */
export const ADMIN_ALERT_KINDS = [
  'backup',
  'webhook_receiver',
  'lowered_floors',
  'hidden_clients',
] as const satisfies readonly AlertKind[];
