/*
 * Everything the audit log tells of. The one list of its actions: the database's column takes no other word, and the
 * screen and the file make their sentences from it.
 */

import { MARKETPLACE_NAMES, MARKETPLACES } from './marketplaces.ts';

/** What the log can be narrowed to, in the order of the filter. */
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

/** Whoever acted, then these words; `{target}` stands for what it was done to. */
type Wording = { readonly group: AuditGroup; readonly words: string };

const inGroup = <const Words extends Readonly<Record<string, string>>>(
  group: AuditGroup,
  words: Words,
): { readonly [Action in keyof Words]: Wording } =>
  Object.fromEntries(Object.entries(words).map(([action, text]) => [action, { group, words: text }])) as {
    readonly [Action in keyof Words]: Wording;
  };

export const AUDIT_ACTIONS = {
  ...inGroup('sign_ins', {
    'login.succeeded': 'signed in',
    'login.failed': 'tried to sign in with a wrong name or password',
    'login.refused': 'gave the right password, which was not enough to be let in',
    'login.locked': 'used up the tries to sign in; {target} has to wait',
    'step_up.succeeded': 'confirmed the password once more',
    'step_up.failed': 'gave a wrong password when asked to confirm it',
    'step_up.locked': 'used up the tries to confirm the password; {target} has to wait',
    'password_change.succeeded': 'chose a new password',
    'password_change.failed': 'tried to choose a new password with a wrong old one',
    'password_change.refused': 'chose a new password that was not accepted',
    'two_factor.locked': 'used up the tries for a code; {target} has to wait',
    'two_factor.recovery_code_used': 'used a recovery code',
    'two_factor_begin.failed': 'gave a wrong password to set up two-factor authentication',
    'two_factor_confirm.failed': 'gave a wrong code to set up two-factor authentication',
    'two_factor_disable.failed': 'gave a wrong password or code to turn two-factor authentication off',
    'recovery_codes.failed': 'gave a wrong password or code for new recovery codes',
    'register.locked': 'registered too often; {target} has to wait',
    'verify.locked': 'opened too many wrong verification links; {target} has to wait',
    logout: 'signed out',
    'session.replaced': 'left a session for another one in the same browser',
    'session.ended': 'ended one of the own sessions',
    'session.others_ended': 'ended all other sessions of the own',
  }),
  ...inGroup('accounts', {
    'user.registered': 'registered',
    'user.unlocked': 'ended the waits after wrong passwords and codes of {target}',
    'registration.refused': 'tried to register once more with the name or the address of {target}',
    'user.verified': 'verified the email address of {target}',
    'verification.failed': 'opened a verification link that does not work',
    'user.approved': 'approved {target}',
    'user.approval_withdrawn': 'took the approval of {target} back',
    'user.removed': 'removed {target}',
    'user.role_changed': 'changed the role of {target}',
    'user.password_reset': 'reset the password of {target}',
    'user.profile_edited': 'changed the own name or phone number',
    'user.sessions_ended': 'ended the sessions of {target}',
    'two_factor.begun': 'began to set up two-factor authentication',
    'two_factor.enabled': 'turned two-factor authentication on',
    'two_factor.disabled': 'turned two-factor authentication off',
    'two_factor.recovery_codes_replaced': 'made new recovery codes',
    'user.two_factor_disabled': 'turned two-factor authentication off for {target}',
    'user.verification_mail': 'had the verification mail sent to {target} again',
    'user.verification_link': 'made a verification link for {target}',
  }),
  ...inGroup('prices', {
    'price.typed': 'typed a price for {target}',
    'price.retried': 'tried a refused price of {target} again',
    'price.applied': 'applied the recommended price of {target}',
    'price.reverted': 'took a price of {target} back',
    'prices.taken_back': 'took a set of price changes back',
    'price.observed': 'found the price of {target} changed on its marketplace and took it over',
    'listing.gone': 'did not find {target} on its marketplace any more',
    'listing.found_again': 'found {target} on its marketplace again',
    'listing.edited': 'changed {target}',
    'listing.held': 'held {target}',
    'listing.resumed': 'ended the hold of {target}',
    'listing.uploaded': 'marked the price of {target} as uploaded',
    'listing.deleted': 'deleted {target}',
    'listing.undeleted': 'brought {target} back',
    'listing.restored': 'took back what had been done to {target}',
  }),
  ...inGroup('rules', {
    'rule.created': 'created {target}',
    'rule.edited': 'changed {target}',
    'rule.enabled': 'turned {target} on',
    'rule.disabled': 'turned {target} off',
    'rule.deleted': 'deleted {target}',
    'rule.restored': 'brought {target} back',
  }),
  ...inGroup('costs', {
    'costs.edited': 'changed the costs of {target}',
    'floors.lowered': 'lowered the lowest allowed price of {target} by more than 20%',
    'sku.created': 'created {target}',
    'sku.edited': 'changed {target}',
    'sku.deleted': 'deleted {target}',
    'sku.undeleted': 'brought {target} back',
    'bundles.saved': 'saved the components of {target}',
    'bundle.removed': 'removed the components of {target}',
    'bundles.confirmed_single': 'confirmed that {target} is no bundle',
    'tiers.created': 'created shipping tiers',
    'tier.edited': 'changed {target}',
    'tiers.deleted': 'deleted shipping tiers',
    'fees.created': 'created {target}',
    'fees.edited': 'changed {target}',
    'fees.deleted': 'deleted {target}',
    'fees.checked': 'confirmed that the fees are right',
  }),
  ...inGroup('settings', {
    'settings.saved': 'saved the settings',
    'guards.saved': 'changed the limits over every rule',
    'own_sellers.saved': 'changed which sellers are ours',
    'own_sellers.added': 'added sellers that are ours',
    'keys.rotated': 'changed the key that secrets are locked with',
    'keys.forgotten': 'gave up the secrets that no key opens',
    'marketplace.read_requested': 'had everything read from {target}',
    'marketplace.consent_begun': 'went to {target} to give consent',
    'marketplace.consent_answered': 'came back from {target} with an answer',
    'marketplace.connected': 'connected {target} by consent',
    'setup.dismissed': 'closed the set-up card',
    'view.created': 'shared {target}',
    'view.edited': 'changed {target}',
    'view.deleted': 'deleted {target}',
    'view.restored': 'brought {target} back',
  }),
  ...inGroup('engine', {
    'engine.armed': 'armed {target}',
    'engine.disarmed': 'put {target} back to observing',
    'engine.restored': 'found that a backup was put back, and ended all sessions',
    'engine.halted': 'halted all repricing',
    'engine.resumed': 'resumed repricing',
    'run.requested': 'started {target}',
    'job.cancelled': 'cancelled {target}',
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
    'veeqo.synced': 'read new SKUs from Veeqo',
  }),
  ...inGroup('refusals', {
    'access.refused': 'was refused {target}',
    'setup_link.refused': 'tried to register with a set-up link that does not work',
    'request.cross_site': 'sent a request from another site; it was refused',
    'request.two_hosts': 'sent a request with two Host headers; it was refused',
    'error.unexpected': 'met an unexpected error in {target}',
  }),
} as const;

/** A dotted verb such as "user.approved". */
export type AuditAction = keyof typeof AUDIT_ACTIONS;

export const AUDIT_ACTION_NAMES = Object.keys(AUDIT_ACTIONS) as AuditAction[];

/** The actions of a group. */
export function auditActionsIn(group: AuditGroup): AuditAction[] {
  return AUDIT_ACTION_NAMES.filter((action) => AUDIT_ACTIONS[action].group === group);
}

/** The group and the words of an action; null for one that another release of the program wrote. */
export function auditWording(action: string): Wording | null {
  return Object.hasOwn(AUDIT_ACTIONS, action) ? AUDIT_ACTIONS[action as AuditAction] : null;
}

/** What a row is told from. */
export interface AuditSaid {
  readonly action: string;
  /** Null when nobody was signed in. */
  readonly actor: string | null;
  readonly targetKind: string | null;
  readonly targetId: string | null;
  /** How people call the target: a name, a SKU. Null when nobody knows it any more. */
  readonly targetName: string | null;
}

/** Kinds whose name says enough: "ann@example.com", "Walmart". */
const SAY_NO_KIND = new Set(['user', 'settings', 'address', 'marketplace', 'marketplaces', 'export', 'call']);
const KIND_WORDS: Readonly<Record<string, string>> = { sku: 'SKU', user: 'an account' };

/** "listing MUG-1", "ann@example.com", "something" */
function auditTargetText({
  targetKind,
  targetId,
  targetName,
}: Pick<AuditSaid, 'targetKind' | 'targetId' | 'targetName'>): string {
  const name = targetName ?? targetId;
  if (targetKind === null) return name ?? 'something';
  const kind = KIND_WORDS[targetKind] ?? targetKind;
  if (name === null) return kind;
  if (targetKind.startsWith('marketplace')) return marketplaceNames(name);
  return SAY_NO_KIND.has(targetKind) ? name : `${kind} ${name}`;
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

/** "boss@example.com approved ann@example.com." An action of another release is told by its name. */
export function auditSentence(row: AuditSaid): string {
  const who = row.actor ?? 'Somebody';
  const words = auditWording(row.action)?.words ?? `did "${row.action}" to {target}`;
  // A function: a name may hold what a replacement text would expand.
  return `${who} ${words.replace('{target}', () => auditTargetText(row))}.`;
}
