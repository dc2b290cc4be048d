declare global {
  /** Where the libraries that write style elements look for their nonce. */
  var __webpack_nonce__: string | undefined;
}

/**
 * Hands the nonce of this page to the dialogs' scroll lock, whose style element the page's policy would refuse
 * without. The server puts it into the page; there is none in development.
 */
export function takeStyleNonce(): void {
  const nonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.nonce;
  if (nonce) globalThis.__webpack_nonce__ = nonce;
}
