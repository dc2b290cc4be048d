/** Names of this machine, as the parser of addresses writes them. */
const THIS_MACHINE = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Whether an address of an identity provider may be called: https, or http on this machine where the issuer is http on
 * this machine too.
 * @param issuer the configured one
 */
export function isSecureFor(issuer: string, address: string): boolean {
  if (!URL.canParse(address) || !URL.canParse(issuer)) return false;
  const [home, url] = [new URL(issuer), new URL(address)];
  if (url.username !== '' || url.password !== '') return false;
  if (url.protocol === 'https:') return true;
  return url.protocol === 'http:' && home.protocol === 'http:' && THIS_MACHINE.has(url.hostname);
}

/** Whether a text can be an issuer: https, or http on this machine, without query and fragment. */
export function isIssuer(text: string): boolean {
  return isSecureFor(text, text) && !text.includes('?') && !text.includes('#');
}

/** Whether two issuers are one: "https://login.example.com" and the same with a slash at the end are, as addresses. */
export function isSameIssuer(one: string, other: string): boolean {
  return URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href;
}
