import { expect, test } from 'vitest';
import { readQr } from '#tests/support/read-qr.ts';
import { setUpLink } from '#usecases/identity/two-factor/totp.ts';
import { qrSvg } from './qr-svg.ts';

const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

test.each([
  'ann@example.com',
  'ann+1@example.com',
  'o.unnamed-person_1234567890@a-rather-long-name-of-a-shop.example.com',
  'jörg@exämple.com',
])('the picture for %s is the link, field by field', async (email) => {
  const link = setUpLink(SECRET, email);
  const drawn = await qrSvg(link);
  const read = readQr(drawn);
  expect(read).toBe(link);
  const { protocol, host, pathname, searchParams } = new URL(read);
  expect([protocol, host, decodeURIComponent(pathname)]).toEqual([
    'otpauth:',
    'totp',
    `/Pricewright:${email}`,
  ]);
  expect(Object.fromEntries(searchParams)).toEqual({
    issuer: 'Pricewright',
    secret: SECRET,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
});

test('it is black on white with a quiet zone of four modules, which cameras need', async () => {
  const svg = await qrSvg(setUpLink(SECRET, 'ann@example.com'));
  const size = Number(/viewBox="0 0 (\d+) \1"/.exec(svg)?.[1]);
  expect(svg).toContain(`<path fill="#ffffff" d="M0 0h${size}v${size}H0z"/>`);
  const rows = [...svg.matchAll(/M(\d+) (\d+)\.5/g)].map(([, x, y]) => [Number(x), Number(y)]);
  expect(Math.min(...rows.flat())).toBe(4);
  expect(Math.max(...rows.map(([, y]) => y ?? 0))).toBe(size - 5);
});
