import type { AuditRow } from '#contract/audit.ts';
import type { AuditGroup } from '#domain/audit-actions.ts';
import type { ScreenLink } from '#web/ui/screen-link.ts';

/** Labels of the groups of the log. */
export const GROUP_LABELS = {
  sign_ins: 'Logins',
  accounts: 'Accounts',
  prices: 'Prices and listings',
  rules: 'Rules',
  costs: 'Costs, SKUs and fees',
  settings: 'Settings',
  engine: 'Repricing',
  files: 'Imports and exports',
  refusals: 'Denied requests and errors',
} as const satisfies Record<AuditGroup, string>;

type Target = NonNullable<AuditRow['target']>;

/** "listing MUG-1" */
export function targetText({ kind, id, name }: Target): string {
  // There is only one set of settings.
  if (kind === 'settings') return kind;
  if (kind === 'webhook_receiver') return `Webhook receiver ${name ?? id ?? ''}`.trim();
  if (kind === 'api_token') return `API token ${name ?? id ?? ''}`.trim();
  if (kind === 'marketplaces' && id === null) return 'all live marketplaces';
  const known = name ?? id;
  return known === null ? kind : `${kind} ${known}`;
}

/** The screen of an event's object; null if it has none. */
export function targetScreen({ kind, id, name }: Target): ScreenLink | null {
  if (kind === 'user') return { to: '/users' };
  if (kind === 'settings') return { to: '/settings' };
  if (id === null) return null;
  if (kind === 'listing') return { to: `/listings/${id}/why` };
  if (kind === 'run' || kind === 'job' || kind === 'import') return { to: `/${kind}s/${id}` };
  if (kind === 'rule') return { to: '/rules' };
  if (kind === 'sku') return { to: '/skus', search: { q: name ?? '' } };
  if (kind === 'bundle') return { to: '/bundles' };
  return null;
}
