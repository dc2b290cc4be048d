import { expect, test } from 'vitest';
import { parseSearch, stringifySearch } from './search-params.ts';

test.each(['662E41', '00123', '1e5', 'true', '"quoted"', 'a&b=c', 'größe'])(
  'q=%s comes back as typed',
  (q) => {
    expect(parseSearch(stringifySearch({ q }))).toEqual({ q });
  },
);

test('undefined and empty values are omitted', () => {
  expect(stringifySearch({ q: undefined, page: '' })).toBe('');
  expect(stringifySearch({ page: 2 })).toBe('?page=2');
});
