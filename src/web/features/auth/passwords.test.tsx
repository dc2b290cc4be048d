import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { SIGNED_OUT, serveApi } from '#tests/support/fake-api.ts';
import { renderApp } from '#tests/support/render-app.tsx';

afterEach(() => vi.unstubAllGlobals());

test.each([
  ['/auth', 'current-password'],
  ['/auth?tab=register', 'new-password'],
])(
  'the password at %s is masked, and can be pasted or filled in by a password manager',
  async (address, kind) => {
    serveApi({ 'GET /api/user': SIGNED_OUT });
    renderApp(address);
    const user = userEvent.setup();
    const field = await screen.findByLabelText<HTMLInputElement>('Password');
    expect([field.type, field.autocomplete]).toEqual(['password', kind]);
    await user.click(field);
    await user.paste('  pasted, with spaces around  ');
    expect(field.value).toBe('  pasted, with spaces around  ');
  },
);
