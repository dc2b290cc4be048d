import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { Checkbox } from './checkbox.tsx';
import { NumberField } from './number-field.tsx';
import { Pager } from './pager.tsx';
import { ProgressBar } from './progress-bar.tsx';
import { RadioGroupField } from './radio-group-field.tsx';
import { SelectField } from './select-field.tsx';
import { Switch } from './switch.tsx';
import { TooltipProvider } from './tooltip.tsx';

test('a select, radio group, checkbox and switch report the choice', async () => {
  const chosen: unknown[] = [];
  const take = (value: unknown): void => {
    chosen.push(value);
  };
  render(
    <>
      <SelectField
        label="Kind"
        value="skus"
        onChange={take}
        options={[
          { value: 'skus', label: 'SKUs' },
          { value: 'listings', label: 'Listings' },
        ]}
      />
      <RadioGroupField
        label="Rejected rows"
        options={[{ value: 'stop', label: 'Stop' }]}
        value={null}
        onChange={take}
      />
      <Checkbox label="Northwind" checked={false} onChange={take} />
      <Switch label="Auto-reprice" checked onChange={take} />
    </>,
  );
  const user = userEvent.setup();
  await user.selectOptions(screen.getByLabelText('Kind'), 'Listings');
  await user.click(screen.getByLabelText('Stop'));
  await user.click(screen.getByText('Northwind'));
  await user.click(screen.getByRole('switch', { name: 'Auto-reprice' }));
  expect(chosen).toEqual(['listings', 'stop', true, false]);
});

test('a checkbox for a partial selection is mixed', () => {
  render(<Checkbox label="All" hideLabel checked="mixed" onChange={() => undefined} />);
  expect((screen.getByRole('checkbox', { name: 'All' }) as HTMLInputElement).indeterminate).toBe(true);
});

function Price(): React.JSX.Element {
  const [value, setValue] = useState('');
  return (
    <NumberField
      label="Price"
      unit="$"
      value={value}
      onChange={(event) => setValue(event.target.value)}
      error={value === '12,5O' ? 'Replace the letter O.' : undefined}
    />
  );
}

test('a number is kept as typed, and its error is tied to it', async () => {
  render(<Price />);
  const field = screen.getByLabelText('Price') as HTMLInputElement;
  await userEvent.setup().type(field, '12,5O');
  expect(field.value).toBe('12,5O');
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
    'Replace the letter O.',
  );
});

test('a progress bar shows its progress, and no value if it is unknown', () => {
  const { rerender } = render(<ProgressBar label="Import" done={1240} total={5000} />);
  const bar = screen.getByRole('progressbar', { name: 'Import' });
  expect(bar.getAttribute('aria-valuenow')).toBe('25');
  expect(bar.getAttribute('aria-valuetext')).toBe('1,240 of 5,000');
  rerender(<ProgressBar label="Import" done={3} total={null} />);
  expect(bar.getAttribute('aria-valuenow')).toBeNull();
});

test('a pager stops at the ends', async () => {
  const pages: number[] = [];
  render(
    <TooltipProvider>
      <Pager
        page={3}
        size={50}
        total={120}
        sizes={[25, 50]}
        onPage={(page) => pages.push(page)}
        onSize={() => undefined}
      />
    </TooltipProvider>,
  );
  expect(screen.getByText('101-120 of 120')).toBeTruthy();
  expect((screen.getByRole('button', { name: 'Next page' }) as HTMLButtonElement).disabled).toBe(true);
  await userEvent.setup().click(screen.getByRole('button', { name: 'Previous page' }));
  expect(pages).toEqual([2]);
});
