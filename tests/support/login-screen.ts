import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { type Answers, type Sent, SIGNED_OUT, serveApi } from './fake-api.ts';
import { renderApp } from './render-app.tsx';

interface LoginScreen {
  readonly sent: Sent[];
  readonly user: ReturnType<typeof userEvent.setup>;
  readonly email: HTMLInputElement;
  readonly password: HTMLInputElement;
  /** Fills the form and presses Login. */
  readonly logIn: (secret: string) => Promise<void>;
}

/** The login screen, without a session. */
export async function openLogin(answers: Answers = {}): Promise<LoginScreen> {
  const sent = serveApi({ 'GET /api/user': SIGNED_OUT, ...answers });
  renderApp('/auth');
  const user = userEvent.setup();
  const email = await screen.findByLabelText<HTMLInputElement>('Email address');
  const password = screen.getByLabelText<HTMLInputElement>('Password');
  const logIn = async (secret: string) => {
    await user.clear(email);
    await user.type(email, 'sam@example.com');
    await user.clear(password);
    await user.type(password, secret);
    await user.click(screen.getByRole('button', { name: 'Login' }));
  };
  return { sent, user, email, password, logIn };
}
