/**
 * Where to go after the login page: the `redirect` parameter if it is an address of this site, else "/".
 * The parameter is untrusted: an address on another host is ignored.
 * @param search the search parameters of /auth
 */
export function safeReturnPath(search: { redirect?: unknown }): string {
  const wanted = search.redirect;
  if (typeof wanted !== 'string' || !wanted.startsWith('/')) return '/';
  const here = 'http://here.invalid';
  const url = URL.canParse(wanted, here) ? new URL(wanted, here) : null;
  // Two slashes at the start, which "/.//" becomes, name a host.
  if (url === null || url.origin !== here || /^\/(?:\/|auth)/.test(url.pathname)) return '/';
  return url.pathname + url.search + url.hash;
}
