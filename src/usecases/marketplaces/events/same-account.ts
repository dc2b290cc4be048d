import type { Account } from '#connectors/connector.ts';

/** Whether two accounts have the same credentials. */
export function isSameCredentials(a: Account['credentials'], b: Account['credentials']): boolean {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => a[name] === b[name]);
}

/** The same for accounts; null for none. */
export function isSameAccount(a: Account | null, b: Account | null): boolean {
  return a === null || b === null ? a === b : isSameCredentials(a.credentials, b.credentials);
}
