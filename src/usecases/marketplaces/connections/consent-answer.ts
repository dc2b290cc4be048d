import { AppError } from '#usecases/app-error.ts';

/** What the browser was led back with. */
interface ConsentReply {
  readonly state: string;
  readonly code: string;
}

/**
 * Reads the address that a marketplace's consent page led to, as the browser had it or as somebody pasted it.
 * @param name how people call the marketplace
 * @throws AppError when it holds no consent: one sentence that says what to do
 */
export function readConsentAnswer(name: string, address: string): ConsentReply {
  const text = address.trim();
  if (!URL.canParse(text)) {
    const message = `Paste the full address of the page where ${name} sent you. It starts with https://.`;
    throw new AppError('validation_failed', message, { fields: { address: message } });
  }
  const { searchParams } = new URL(text);
  const error = searchParams.get('error');
  if (error === 'access_denied') {
    throw new AppError('conflict', `The authorization was declined at ${name}. Nothing was changed.`);
  }
  if (error !== null) {
    // Anybody can write a link: of its words only a bare code is repeated.
    const said = /^[a-z_]{1,40}$/.test(error) ? ` (${error})` : '';
    throw new AppError(
      'conflict',
      `${name} did not authorize the connection${said}. Nothing was changed. Connect again.`,
    );
  }
  const code = searchParams.get('code') ?? '';
  if (code === '') {
    const message = `This address from ${name} holds no authorization: it was declined, or the address is incomplete.`;
    throw new AppError('conflict', message);
  }
  return { code, state: searchParams.get('state') ?? '' };
}
