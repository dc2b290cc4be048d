import { AppError } from '#usecases/app-error.ts';

/** Parameters of the redirect back from the marketplace. */
interface ConsentReply {
  readonly state: string;
  readonly code: string;
}

/**
 * Parses the address that a marketplace's authorization page redirected to, received by the server or pasted by the user.
 * @param name display name of the marketplace
 * @throws AppError when it contains no authorization code, with one sentence that says what to do
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
    // The address is untrusted: only a plain error code is repeated from it.
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
