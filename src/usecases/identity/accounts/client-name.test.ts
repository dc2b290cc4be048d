import { expect, test } from 'vitest';
import { clientName } from './client-name.ts';

const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)';
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
const ANDROID = 'Mozilla/5.0 (Linux; Android 14; Pixel 8)';
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X)';
const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';

test.each([
  ['Firefox on Windows', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0'],
  ['Firefox on Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'],
  ['Chrome on Windows', `${WINDOWS} ${WEBKIT} Chrome/126.0.0.0 Safari/537.36`],
  ['Chrome on Linux', `Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} HeadlessChrome/126.0.0.0 Safari/537.36`],
  ['Chrome on ChromeOS', `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/126.0.0.0 Safari/537.36`],
  ['Edge on Windows', `${WINDOWS} ${WEBKIT} Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0`],
  ['Opera on macOS', `${MAC} ${WEBKIT} Chrome/124.0.0.0 Safari/537.36 OPR/110.0.0.0`],
  ['Chrome on Android', `${ANDROID} ${WEBKIT} Chrome/126.0.0.0 Mobile Safari/537.36`],
  [
    'Samsung Internet on Android',
    `${ANDROID} ${WEBKIT} SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36`,
  ],
  ['Safari on macOS', `${MAC} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15`],
  [
    'Safari on iPhone',
    `${IPHONE} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1`,
  ],
  [
    'Chrome on iPhone',
    `${IPHONE} AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/126.0 Mobile/15E148 Safari/604.1`,
  ],
  [
    'Firefox on iPad',
    'Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15 FxiOS/128.0 Safari/605.1.15',
  ],
  ['curl', 'curl/8.5.0'],
  ['python-requests', 'python-requests/2.32.0'],
])('%s is recognised', (name, userAgent) => {
  expect(clientName(userAgent)).toBe(name);
});

test('a browser or a system alone is a name', () => {
  expect(clientName('Mozilla/5.0 (X11; Linux x86_64)')).toBe('Linux');
  expect(clientName('Firefox/128.0')).toBe('Firefox');
});

test.each([null, '', 'Mozilla/5.0', 'hello there', '<b>x</b>/1', `${'x'.repeat(300)}/1`])(
  '%j has no name',
  (userAgent) => {
    expect(clientName(userAgent)).toBeNull();
  },
);
