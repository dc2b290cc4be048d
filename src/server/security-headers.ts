import { createHash } from 'node:crypto';

export type SecurityHeaders = Readonly<Record<string, string>>;

/**
 * CSP source expressions for the inline scripts of a page, such as the one that sets the theme before the first
 * paint.
 */
export function inlineScriptHashes(html: string): string[] {
  return html
    .split(/<\/script>/i)
    .slice(0, -1)
    .flatMap((upToEnd) => {
      // The text before a script's end is its tag, the first "<script" after the previous script.
      const tag = /<script\b/i.exec(upToEnd);
      if (tag === null) return [];
      const begin = upToEnd.indexOf('>', tag.index);
      if (/\bsrc\s*=/i.test(upToEnd.slice(tag.index, begin))) return [];
      return [
        `'sha256-${createHash('sha256')
          .update(upToEnd.slice(begin + 1))
          .digest('base64')}'`,
      ];
    });
}

/**
 * The headers of every response, built once per process.
 * @param behindHttps browsers reach us by https only, so they may remember it for a year
 */
export function securityHeaders(scriptHashes: readonly string[], behindHttps: boolean): SecurityHeaders {
  const policy = [
    "default-src 'self'",
    ["script-src 'self'", ...scriptHashes].join(' '),
    // No style elements either: styles that a component sets on an element need no permission.
    "style-src 'self'",
    // Product images come from the marketplaces' own servers.
    "img-src 'self' data: https:",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ];
  return {
    'content-security-policy': policy.join('; '),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
    ...(behindHttps ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  };
}
