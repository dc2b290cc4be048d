import { expect, test } from 'vitest';
import { aUser } from '#tests/support/fake-users.ts';
import { searchUsers } from './user-search.ts';

const ZOE = aUser({ id: '1', fullName: 'Zoë Álvarez', email: 'z@shop.example', username: 'zoe1' });
const BO = aUser({ id: '2', fullName: 'Bo Łuk', email: 'bo@other.example', username: 'bo' });

test.each([
  ['zoe', [ZOE]],
  ['ZOË', [ZOE]],
  ['alvarez', [ZOE]],
  ['A\u0301lvarez', [ZOE]],
  ['Z@SHOP', [ZOE]],
  ['zoe1', [ZOE]],
  ['  bo ', [BO]],
  ['example', [ZOE, BO]],
  ['', [ZOE, BO]],
  ['missing', []],
  ['+1 555', []],
])('%j finds by username, email and full name', (text, found) => {
  expect(searchUsers([ZOE, BO], text)).toEqual(found);
});
