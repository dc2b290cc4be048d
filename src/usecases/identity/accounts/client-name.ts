/** The first match applies: most browsers also name the ones they descend from. */
const BROWSERS = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|OPiOS|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/(Chrome|Chromium|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const;

/** Phones and tablets first: they also name the system that theirs descends from. */
const SYSTEMS = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
] as const;

/** Programs identify themselves as "curl/8.5.0" and the like. */
const PROGRAM = /^([A-Za-z][\w.-]{0,29})\/\d/;

/**
 * The name of a browser in the list of sessions: "Firefox on Windows", "Safari on iPhone", "curl". Without versions,
 * which change. Null when the header is missing or names neither browser nor system.
 */
export function clientName(userAgent: string | null): string | null {
  if (userAgent === null) return null;
  const browser = nameIn(BROWSERS, userAgent);
  const system = nameIn(SYSTEMS, userAgent);
  if (browser !== null && system !== null) return `${browser} on ${system}`;
  if (browser !== null || system !== null) return browser ?? system;
  const program = PROGRAM.exec(userAgent)?.[1] ?? null;
  // Every browser starts with it, so alone it says nothing.
  return program === 'Mozilla' ? null : program;
}

function nameIn(names: typeof BROWSERS | typeof SYSTEMS, userAgent: string): string | null {
  return names.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null;
}
