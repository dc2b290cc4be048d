/** The value of a cookie that scripts may read; null when there is none. */
export function readCookie(page: Document, name: string): string | null {
  const pair = page.cookie.split('; ').find((entry) => entry.startsWith(`${name}=`));
  return pair === undefined ? null : pair.slice(name.length + 1);
}

/**
 * Stores a setting of the page in a cookie.
 * @param maxAge seconds
 */
export function writeCookie(page: Document, name: string, value: string, maxAge: number): void {
  page.cookie = `${name}=${value}; path=/; max-age=${maxAge}; samesite=lax`;
}
