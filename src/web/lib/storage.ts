/** Every local storage key with a fixed name. */
export const STORAGE_KEYS = {
  theme: 'theme',
  skusPageSize: 'skus-page-size',
  singleKeys: 'pricewright-single-keys',
} as const;

/** Prefix of the keys for table layouts, which are stored for each user. */
const TABLE_PREFIX = 'pricewright-table:';

/** Prefix of the keys for users who have read the advice about a second factor. */
const ADVICE_PREFIX = 'pricewright-advice:';

export type StorageKey =
  | (typeof STORAGE_KEYS)[keyof typeof STORAGE_KEYS]
  | `${typeof TABLE_PREFIX | typeof ADVICE_PREFIX}${string}`;

/** The key that stores that a user has read the advice. */
export function adviceKey(userId: string): StorageKey {
  return `${ADVICE_PREFIX}${userId}`;
}

/** The key that stores a user's layout of a table. */
export function tableKey(userId: string, table: string): StorageKey {
  return `${TABLE_PREFIX}${userId}:${table}`;
}

/** Null if nothing is stored, or the browser allows no storage. */
export function readStored(key: StorageKey): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Stores a value; without storage it lasts as long as the page. */
export function writeStored(key: StorageKey, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    return;
  }
}

/** Removes one value. */
export function removeStored(key: StorageKey): void {
  try {
    localStorage.removeItem(key);
  } catch {
    return;
  }
}
