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
    const message = `Paste the whole address of the page that ${name} ended on. It begins with https://.`;
    throw new AppError('validation_failed', message, { fields: { address: message } });
  }
  const { searchParams } = new URL(text);
  const error = searchParams.get('error');
  if (error === 'access_denied') {
    throw new AppError('conflict', `The consent was declined at ${name}, and nothing was changed.`);
  }
  if (error !== null) {
    // Anybody can write a link: of its words only a bare code is repeated.
    const said = /^[a-z_]{1,40}$/.test(error) ? ` (${error})` : '';
    throw new AppError('conflict', `${name} gave no consent${said}. Nothing was changed; connect again.`);
  }
  const code = searchParams.get('code') ?? '';
  if (code === '') {
    const message = `${name} gave no consent with this address: it was declined, or this is not the whole address.`;
    throw new AppError('conflict', message);
  }
  return { code, state: searchParams.get('state') ?? '' };
}
