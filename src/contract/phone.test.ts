import { expect, test } from 'vitest';
import { PhoneNumber } from './phone.ts';

test.each([
  '+1 (555) 010-0100',
  '555.0100 ext. 12',
  '555.0100 Ext 12',
  '555 0100 extension 1234',
  '555-0100 x12',
  '555-0100x12',
  '555 0100, ext: 12',
  '555 0100 #12',
  '(+44) 20 7946 0000',
  '+49 (0)30/12 34 56-0',
  '0049 30 123456',
  '01.23.45.67.89',
  '12345',
])('%s is a phone number, kept as it was typed', (text) => {
  expect(PhoneNumber.parse(` ${text} `)).toBe(text);
});

test.each([
  [
    'a direction mark and long dashes, as contacts copy them',
    '\u202a+1\u00a0555\u2011010\u20130100\u202c',
    '+1 555-010-0100',
  ],
  ['letters of full width', '\uff0b\uff18\uff11 \uff13 1234 5678', '+81 3 1234 5678'],
])('%s become what one would type', (_, typed, kept) => {
  expect(PhoneNumber.parse(typed)).toBe(kept);
});

const HOW = 'Enter a phone number with at least 5 digits, such as +1 555 010 0100 or 555.0100 ext. 12';

test.each([
  ['abc', HOW],
  ['1234', HOW],
  ['+1', HOW],
  ['()- ./', HOW],
  ['555 0100 ext.', HOW],
  ['ext. 12345', HOW],
  ['call 555 0100', HOW],
  ['555 0100 <b>', HOW],
  ['name@example.com', HOW],
  ['', 'Enter your phone number'],
  [' \u200b ', 'Enter your phone number'],
  ['1'.repeat(41), 'Phone number must be at most 40 characters'],
])('"%s" is refused with what to enter instead', (text, problem) => {
  const { error } = PhoneNumber.safeParse(text);
  expect(error?.issues.map(({ message }) => message)).toEqual([problem]);
});
