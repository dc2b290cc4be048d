import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { ProductImage } from './product-cell.tsx';

test.each([
  ['https://cdn.example.com/a.jpg', true],
  ['http://cdn.example.com/a.jpg', false],
  ['javascript:alert(1)', false],
  ['data:image/svg+xml,<svg onload="alert(1)">', false],
  ['/api/logout', false],
  [null, false],
])('%s is shown as an image: %s', (url, isShown) => {
  const { container } = render(<ProductImage url={url} />);
  expect(container.querySelector('img')?.src ?? null).toBe(isShown ? url : null);
});
