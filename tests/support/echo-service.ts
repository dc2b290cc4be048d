import type { Marketplace } from '#domain/marketplaces.ts';
import { type FakeService, startFakeService } from './fake-service.ts';

type Asked = FakeService['asked'][number];

/** Ways in which a service may write what it repeats. */
export const ECHOES: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  base64: (text) => Buffer.from(text).toString('base64'),
  base64url: (text) => Buffer.from(text).toString('base64url'),
  hex: (text) => Buffer.from(text).toString('hex'),
  'URL-encoded': encodeURIComponent,
  'URL-encoded twice': (text) => encodeURIComponent(encodeURIComponent(text)),
  'JSON-escaped': (text) => JSON.stringify(JSON.stringify(text)),
  'broken over lines': (text) => (text.match(/.{1,7}/gs) ?? []).join('\n  '),
};

/** As services make them, with letters that are escaped here and there. */
export const SECRET = {
  secret: 'kQ7|wX3/eR5=tY9uI1oPbN4mZ8cV6sD2',
  refresh: 'Atzr|IwEBIHg5fD3sA7kL9pO2iU4yT6rE8wQ0',
  shared: 'zXc1VbN2m&AsD3fGh4jKl5QwE6rTy7UiO8p',
  access: 'v^1.1#i^1#r^0#Ul4xMF8wOkY5RTE2NjY4Nz',
  next: 'Atza|nExTrEfReSh0123456789aBcDeFgHiJk',
};
const { secret, refresh, shared } = SECRET;
/** What a person enters for each marketplace. */
export const KEYS: Readonly<Record<Marketplace, Readonly<Record<string, string>>>> = {
  walmart: { clientId: 'walmart-client', clientSecret: secret },
  amazon: {
    sellerId: 'A1SELLER',
    lwaClientId: 'amzn1.client',
    lwaClientSecret: secret,
    refreshToken: refresh,
  },
  michaels: { apiKey: secret, allowWrites: 'yes' },
  ebay: { appId: 'my-app', certId: secret, ruName: 'my-ru', refreshToken: refresh },
  etsy: { keystring: secret, sharedSecret: shared, refreshToken: refresh },
  shopify: { storeUrl: 'my-shop.myshopify.com', clientId: 'my-client', clientSecret: secret },
};

/** Strings that must not be found, whatever is around them. */
const NEEDLES = Object.values(SECRET).flatMap((each) => {
  // The inside of each third: base64 differs by where a secret begins.
  const inside = [0, 1, 2].flatMap((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), Buffer.from(each)])
      .toString('base64')
      .slice(4, -4);
    return [text, text.replaceAll('+', '-').replaceAll('/', '_')];
  });
  const pieces = Array.from({ length: each.length - 15 }, (_, at) => each.slice(at, at + 16));
  const written = Object.values(ECHOES)
    .slice(3, 7)
    .map((write) => write(each).replaceAll(/^[\\"]+|[\\"]+$/g, ''));
  return [...pieces, ...inside, ...written, JSON.stringify(each).slice(1, -1)];
});
/** What of the secrets is in a text, whatever it is written in. */
export const leaksIn = (text: string): string[] => {
  const tight = text.replaceAll(/\s|\\n|\[n\]/g, '');
  return NEEDLES.filter((needle) => tight.includes(needle) || text.includes(needle));
};

const TOKEN_PATH = /token/;
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** A service that refuses everything and repeats the whole request wherever it says anything. */
export interface EchoService {
  readonly url: string;
  readonly asked: FakeService['asked'];
  /** How it answers from now on. */
  how: { write: (text: string) => string; status: number; givesTokens: boolean };
  close(): Promise<void>;
}

export async function startEchoService(): Promise<EchoService> {
  const service = await startFakeService();
  const echo: EchoService = {
    url: service.url,
    asked: service.asked,
    how: { write: String, status: 400, givesTokens: true },
    close: () => service.close(),
  };
  for (const method of METHODS) {
    service.on(method, /./, (requested) => {
      const { write, status, givesTokens } = echo.how;
      if (givesTokens && TOKEN_PATH.test(requested.path)) {
        const life = { expires_in: 3_600, token_type: 'bearer' };
        return { body: { access_token: SECRET.access, refresh_token: SECRET.next, ...life } };
      }
      return { status, body: bodyOf(write(requestOf(requested))) };
    });
  }
  return echo;
}

/** Keys first: what is said is shortened. */
function requestOf({ method, path, headers, text }: Asked): string {
  const keys = Object.entries(headers).filter(([name]) => /auth|key|token/i.test(name));
  const rest = Object.entries(headers).filter(([name]) => !/auth|key|token/i.test(name));
  const lines = [...keys, ...rest].map(([name, value]) => `${name}: ${value}`);
  return [keys.map(([, value]) => value).join(' '), text, `${method} ${path}`, ...lines].join('\n');
}

/** The places where the services say something, all at once. */
function bodyOf(said: string): object {
  const one = {
    message: said,
    longMessage: said,
    description: said,
    details: said,
    info: said,
    code: said.slice(0, 190),
  };
  return {
    message: said,
    code: said,
    error: said,
    error_description: said,
    description: said,
    errors: [{ ...one, errorId: 1, severity: 'ERROR', extensions: { code: said } }],
    warnings: [one],
    issues: [{ ...one, severity: 'ERROR' }],
  };
}

/** All texts of a call: its result, page by page, or the text of its error. */
export async function tell(deed: () => unknown): Promise<string> {
  try {
    const answer = await deed();
    if (!isPages(answer)) return JSON.stringify(answer) ?? '';
    const pages: unknown[] = [];
    for await (const page of answer) pages.push(page);
    return JSON.stringify(pages);
  } catch (error) {
    return wordsOf(error);
  }
}

function isPages(answer: unknown): answer is AsyncIterable<unknown> {
  return typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer;
}

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return JSON.stringify(error);
  const { message, stack, cause } = error;
  return `${message} ${stack} ${JSON.stringify({ ...error })} ${cause === undefined ? '' : wordsOf(cause)}`;
}
