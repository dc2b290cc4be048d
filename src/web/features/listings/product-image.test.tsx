import { fireEvent, render } from '@testing-library/react';
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
  const { container } = render(<ProductImage url={url} title="Blue mug" />);
  expect(container.querySelector('img')?.src ?? null).toBe(isShown ? url : null);
});

test('an image that does not load gives way to the initials of the product, and another one is tried', () => {
  const { container, rerender } = render(
    <ProductImage url="https://cdn.example.com/old.jpg" title="Blue mug" />,
  );
  const image = container.querySelector('img');
  if (image === null) throw new Error('There is no image.');
  fireEvent.error(image);
  expect(container.querySelector('img')).toBeNull();
  expect(container.textContent).toBe('BM');
  rerender(<ProductImage url="https://cdn.example.com/new.jpg" title="Blue mug" />);
  expect(container.querySelector('img')?.src).toBe('https://cdn.example.com/new.jpg');
});
