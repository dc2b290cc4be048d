/*
 * All actions of the audit log. The database column accepts no other value, and the screen and the export build their
 * sentences from this list.
 */

import { MARKETPLACE_NAMES, MARKETPLACES } from './marketplaces.ts';

/** The groups of the audit log's filter, in its order. */
export const AUDIT_GROUPS = [
  'sign_ins',
  'accounts',
  'prices',
  'rules',
  'costs',
  'settings',
  'engine',
  'files',
  'refusals',
] as const;
export type AuditGroup = (typeof AUDIT_GROUPS)[number];

/** The predicate of a sentence whose subject is the user; `{target}` is replaced by the object of the action. */
type Wording = { readonly group: AuditGroup; readonly text: string };

const inGroup = <const Texts extends Readonly<Record<string, string>>>(
  group: AuditGroup,
  texts: Texts,
): { readonly [Action in keyof Texts]: Wording } =>
  Object.fromEntries(Object.entries(texts).map(([action, text]) => [action, { group, text }])) as {
    readonly [Action in keyof Texts]: Wording;
  };

export const AUDIT_ACTIONS = {
  ...inGroup('sign_ins', {
    'login.succeeded': 'logged in',
    'login.failed': 'tried to log in with a wrong name or password',
    'login.refused': 'entered the right password but could not log in yet',
    'login.locked': 'was locked out after too many login attempts ({target})',
    'step_up.succeeded': 'confirmed the password',
    'step_up.failed': 'entered a wrong password when confirming it',
    'step_up.locked': 'was locked out after too many password attempts ({target})',
    'password_change.succeeded': 'chose a new password',
    'password_change.failed': 'tried to choose a new password with a wrong current one',
    'password_change.refused': 'chose a new password that was rejected',
    'password_link.requested': 'asked for a link to choose a new password',
    'password_link.failed': 'opened an invalid link for a new password',
    'password_link.used': 'chose a new password with the link from an email',
    'password_link.locked': 'was locked out after too many links for a new password ({target})',
    'provider_login.failed': 'failed to log in with the identity provider',
    'provider_login.refused': 'was known to the identity provider but may not log in ({target})',
    'provider_step_up.succeeded': 'logged in at the identity provider again to confirm an action',
    'provider_step_up.failed': 'failed to confirm an action at the identity provider',
    'provider.locked': 'was locked out after starting too many logins with the identity provider ({target})',
    'two_factor.locked': 'was locked out after too many code attempts ({target})',
    'two_factor.recovery_code_used': 'used a recovery code',
    'two_factor_begin.failed': 'entered a wrong password to set up two-factor authentication',
    'two_factor_confirm.failed': 'entered a wrong code to set up two-factor authentication',
    'two_factor_disable.failed': 'entered a wrong password or code to turn two-factor authentication off',
    'recovery_codes.failed': 'entered a wrong password or code for new recovery codes',
    'register.locked': 'was locked out after registering too often ({target})',
    'verify.locked': 'was locked out after opening too many invalid verification links ({target})',
    logout: 'logged out',
    'session.replaced': 'replaced a session with another one in the same browser',
    'session.ended': 'ended one of their own sessions',
    'session.others_ended': 'ended all their other sessions',
  }),
  ...inGroup('accounts', {
    'user.registered': 'registered',
    'user.unlocked': 'unlocked {target}',
    'account.linked': 'was linked to the identity provider by email address',
    'account.unlinked': 'ended the link of {target} to the identity provider',
    'registration.refused': 'tried to register again with the name or email address of {target}',
    'user.verified': 'verified the email address of {target}',
    'verification.failed': 'opened an invalid verification link',
    'user.approved': 'approved {target}',
    'user.approval_withdrawn': 'withdrew the approval of {target}',
    'user.removed': 'removed {target}',
    'user.role_changed': 'changed the role of {target}',
    'user.password_reset': 'reset the password of {target}',
    'user.profile_edited': 'changed their own name, phone number or weekly summary',
    'api_token.created': 'created {target}',
    'api_token.revoked': 'revoked {target}',
    'user.sessions_ended': 'ended the sessions of {target}',
    'two_factor.begun': 'started to set up two-factor authentication',
    'two_factor.enabled': 'turned two-factor authentication on',
    'two_factor.disabled': 'turned two-factor authentication off',
    'two_factor.recovery_codes_replaced': 'created new recovery codes',
    'user.two_factor_disabled': 'turned two-factor authentication off for {target}',
    'user.verification_mail': 'sent the verification email to {target} again',
    'user.verification_link': 'created a verification link for {target}',
  }),
  ...inGroup('prices', {
    'price.typed': 'set a price for {target}',
    'price.retried': 'sent a rejected price of {target} again',
    'price.applied': 'applied the recommended price of {target}',
    'price.reverted': 'reverted a price of {target}',
    'prices.taken_back': 'undid a set of price changes',
    'price.observed': 'adopted the price of {target} changed on the marketplace',
    'price.repaired': 'repaired the price of {target} changed on the marketplace',
    'external_edit.left': 'left the price of {target} changed on the marketplace as it was',
    'listing.migrated': 'moved {target} into eBay’s Inventory model',
    'listing.migration_refused': 'could not move {target} into eBay’s Inventory model',
    'listing.best_offer_raised': 'raised the price from which {target} accepts Best Offers',
    'listing.gone': 'no longer found {target} on its marketplace',
    'listing.found_again': 'found {target} on its marketplace again',
    'listing.edited': 'changed {target}',
    'listing.held': 'put {target} on hold',
    'listing.resumed': 'ended the hold of {target}',
    'listing.uploaded': 'marked the price of {target} as uploaded',
    'listing.deleted': 'deleted {target}',
    'listing.undeleted': 'restored {target}',
    'listing.restored': 'undid the last action on {target}',
  }),
  ...inGroup('rules', {
    'rule.created': 'created {target}',
    'rule.edited': 'changed {target}',
    'rule.enabled': 'turned {target} on',
    'rule.disabled': 'turned {target} off',
    'rule.deleted': 'deleted {target}',
    'rule.restored': 'restored {target}',
  }),
  ...inGroup('costs', {
    'costs.edited': 'changed the costs of {target}',
    'floors.lowered': 'lowered the lowest allowed price of {target} by more than 20%',
    'sku.created': 'created {target}',
    'sku.edited': 'changed {target}',
    'sku.deleted': 'deleted {target}',
    'sku.undeleted': 'restored {target}',
    'bundles.saved': 'saved the components of {target}',
    'bundle.removed': 'removed the components of {target}',
    'bundles.confirmed_single': 'confirmed that {target} is not a bundle',
    'tiers.created': 'created shipping tiers',
    'tier.edited': 'changed {target}',
    'tiers.deleted': 'deleted shipping tiers',
    'fees.created': 'created {target}',
    'fees.edited': 'changed {target}',
    'fees.deleted': 'deleted {target}',
    'fees.shipped': 'updated the published fees',
    'fees.terms_saved': 'changed the plan or sales tax of {target}',
    'fees.checked': 'confirmed the fees',
    'fees.category_accepted': 'accepted the fees of {target}',
    'fees.told_accepted': 'accepted a fee reported by a marketplace',
    'fees.told_rejected': 'rejected a fee reported by a marketplace',
    'fees.own_rate_kept': 'kept the own commission of listings on {target}',
    'fees.reading_accepted': 'accepted the changed fees of {target}',
    'fees.reading_rejected': 'rejected the changed fees of {target}',
    'fees.estimates_accepted': 'accepted estimated FBA/WFS fees',
    'fees.estimates_rejected': 'no longer accepted estimated FBA/WFS fees',
    'sale.restocked': 'changed the restocked units of {target}',
  }),
  ...inGroup('settings', {
    'settings.saved': 'saved the settings',
    'guards.saved': 'changed the repricing limits',
    'identity_provider.saved': 'changed the identity provider',
    'own_sellers.saved': 'changed your seller names',
    'own_sellers.added': 'added seller names of yours',
    'keys.rotated': 'changed the key that encrypts secrets',
    'keys.forgotten': 'deleted secrets that could not be decrypted',
    'marketplace.read_requested': 'started a sync of {target}',
    'marketplace.consent_begun': 'started the authorization of {target}',
    'marketplace.consent_answered': 'returned from the authorization of {target}',
    'marketplace.connected': 'connected {target} by authorization',
    'offer_age.set': 'changed the maximum offer age of {target}',
    'external_edits.set': 'changed what happens to prices changed on {target}',
    'business_prices.set': 'changed whether business prices on {target} follow',
    'migration.asked': 'asked for listings to be moved into the Inventory model of {target}',
    'webhook_receiver.created': 'added {target}',
    'webhook_receiver.edited': 'changed {target}',
    'webhook_receiver.deleted': 'deleted {target}',
    'webhook_receiver.secret_replaced': 'replaced the secret of {target}',
    'webhook_receiver.tested': 'sent a test to {target}',
    'webhook_receiver.redelivered': 'sent a webhook to {target} once more',
    'webhook_receiver.switched_off': 'switched {target} off',
    'books.closed': 'closed the books',
    'books.reopened': 'reopened closed books',
    'backups.saved': 'changed the schedule of backups',
    'backup.requested': 'asked for a backup',
    'setup.dismissed': 'closed the setup card',
    'view.created': 'shared {target}',
    'view.edited': 'changed {target}',
    'view.deleted': 'deleted {target}',
    'view.restored': 'restored {target}',
  }),
  ...inGroup('engine', {
    'engine.armed': 'went live on {target}',
    'engine.disarmed': 'switched {target} to recommend only',
    'engine.restored': 'found that the database was restored from a backup, and ended all sessions',
    'engine.restore_confirmed': 'confirmed that the restored database replaces the original',
    'engine.halted': 'halted all repricing',
    'engine.resumed': 'resumed repricing',
    'run.requested': 'started {target}',
    'run.reviewed': 'reviewed the changes of {target} in the next run',
    'job.cancelled': 'canceled {target}',
  }),
  ...inGroup('files', {
    'import.uploaded': 'uploaded the file of {target}',
    'import.started': 'started {target}',
    'import.done': 'finished {target}',
    'import.stopped': 'did not finish {target}',
    'import.deleted': 'deleted the file of {target}',
    'export.made': 'exported {target}',
    'price_file.made': 'downloaded the price file for {target}',
    'price_file.uploaded': 'marked the price file for {target} as uploaded',
    'veeqo.synced': 'synced new SKUs from Veeqo',
  }),
  ...inGroup('refusals', {
    'access.refused': 'was denied {target}',
    'setup_link.refused': 'tried to register with an invalid setup link',
    'request.cross_site': 'sent a request from another site; it was denied',
    'request.two_hosts': 'sent a request with two Host headers; it was denied',
    'error.unexpected': 'got an unexpected error in {target}',
  }),
} as const;

/** A dotted verb such as "user.approved". */
export type AuditAction = keyof typeof AUDIT_ACTIONS;

export const AUDIT_ACTION_NAMES = Object.keys(AUDIT_ACTIONS) as AuditAction[];

/** The actions of a group. */
export function auditActionsIn(group: AuditGroup): AuditAction[] {
  return AUDIT_ACTION_NAMES.filter((action) => AUDIT_ACTIONS[action].group === group);
}

/** The group and the text of an action; null for an action of another release. */
export function auditWording(action: string): Wording | null {
  return Object.hasOwn(AUDIT_ACTIONS, action) ? AUDIT_ACTIONS[action as AuditAction] : null;
}

/** The fields of a row that its sentence needs. */
export interface AuditSentenceFields {
  readonly action: string;
  /** Null if no user was logged in. */
  readonly actor: string | null;
  /** The name of the API token that it was done with, if there was one. */
  readonly token?: string | null;
  readonly targetKind: string | null;
  readonly targetId: string | null;
  /** The target's name or SKU; null if it was deleted. */
  readonly targetName: string | null;
}

/** Kinds that are not named in the sentence, since the name is enough: "ann@example.com", "Walmart". */
const UNNAMED_KINDS = new Set([
  'user',
  'settings',
  'address',
  'marketplace',
  'marketplaces',
  'export',
  'call',
]);
const KIND_LABELS: Readonly<Record<string, string>> = {
  sku: 'SKU',
  user: 'an account',
  marketplaces: 'all live marketplaces',
  api_token: 'API token',
  webhook_receiver: 'webhook receiver',
};

/** "listing MUG-1", "ann@example.com", "something" */
function auditTargetText({
  targetKind,
  targetId,
  targetName,
}: Pick<AuditSentenceFields, 'targetKind' | 'targetId' | 'targetName'>): string {
  const name = targetName ?? targetId;
  if (targetKind === null) return name ?? 'something';
  const kind = KIND_LABELS[targetKind] ?? targetKind;
  if (name === null) return kind;
  if (targetKind.startsWith('marketplace')) return marketplaceNames(name);
  return UNNAMED_KINDS.has(targetKind) ? name : `${kind} ${name}`;
}

/** "Walmart and Amazon" for "walmart amazon" */
function marketplaceNames(ids: string): string {
  const names = ids.split(' ').map((id) => {
    const known = MARKETPLACES.find((marketplace) => marketplace === id);
    return known === undefined ? id : MARKETPLACE_NAMES[known];
  });
  const last = names.pop() ?? '';
  return names.length === 0 ? last : `${names.join(', ')} and ${last}`;
}

/** "boss@example.com approved ann@example.com." An unknown action of another release is shown by its name. */
export function auditSentence(row: AuditSentenceFields): string {
  const by = (row.token ?? null) === null ? '' : ` (API token ${row.token})`;
  const who = `${row.actor ?? 'Someone (not logged in)'}${by}`;
  const text = auditWording(row.action)?.text ?? `performed "${row.action}" on {target}`;
  // A function, because a name may contain replacement patterns such as "$&".
  return `${who} ${text.replace('{target}', () => auditTargetText(row))}.`;
}
