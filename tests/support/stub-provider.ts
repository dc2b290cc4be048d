/*
 * An identity provider on this machine, written from OpenID Connect Core 1.0, Discovery 1.0, RFC 6749, 7636, 7515 and
 * 9207, and not from our client: what both would get wrong alike must fail here.
 */
import {
  constants,
  createHash,
  createHmac,
  createSign,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
} from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { receivedBody } from './received-body.ts';

/** What the provider says of a person. */
export interface StubPerson {
  readonly sub: string;
  readonly [claim: string]: unknown;
}

/** What goes wrong; each test sets its own. */
export interface StubFaults {
  /** Changes the claims of the ID token. */
  readonly claims?: (claims: Record<string, unknown>) => Record<string, unknown>;
  /** How the ID token is signed: with no key, with the client secret, or with one that is not published. */
  readonly signature?: 'none' | 'client_secret' | 'other_key' | 'cut';
  /** Replaces the whole response of an address. */
  readonly answers?: Readonly<Record<string, { readonly status: number; readonly body: string }>>;
  /** Changes the document of the provider. */
  readonly document?: (document: Record<string, unknown>) => Record<string, unknown>;
  /** Parameters of the response instead of the right ones. */
  readonly response?: Readonly<Record<string, string | null>>;
}

export interface StubProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  faults: StubFaults;
  /** Every request so far: "POST /token". */
  readonly requests: string[];
  /**
   * A person logs in on the page at this address, now or some seconds ago.
   * @returns the parameters with which the browser is sent back
   */
  logIn(address: string, person: StubPerson, secondsAgo?: number): string;
  /** What the page at this address was asked for. */
  asked(address: string): URLSearchParams;
  close(): Promise<void>;
}

interface IssuedCode {
  readonly redirectUri: string;
  readonly challenge: string;
  readonly nonce: string | null;
  readonly person: StubPerson;
  readonly authTime: number;
}

const b64 = (value: string | Buffer): string => Buffer.from(value).toString('base64url');
const json = (value: unknown): string => b64(JSON.stringify(value));

// Once for all tests of a file: making a key takes a while.
const KEYS = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const OTHER_KEYS = generateKeyPairSync('rsa', { modulusLength: 2_048 });

/** @param now the provider's clock, in milliseconds */
export async function startStubProvider(now: () => number): Promise<StubProvider> {
  const clientId = 'pricewright';
  const clientSecret = 'a secret of the client 5:%/';
  const codes = new Map<string, IssuedCode>();
  const tokens = new Map<string, StubPerson>();
  const requests: string[] = [];
  let faults: StubFaults = {};
  const server: Server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const seconds = (): number => Math.floor(now() / 1_000);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    requests.push(`${request.method} ${path}`);
    const body = await receivedBody(request);
    if (body === null) return;
    const send = (status: number, value: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(typeof value === 'string' ? value : JSON.stringify(value));
    };
    const replaced = faults.answers?.[path];
    if (replaced !== undefined) return send(replaced.status, replaced.body);
    if (path === '/.well-known/openid-configuration') return send(200, document());
    if (path === '/jwks') return send(200, { keys: [publicKey()] });
    if (path === '/token') return send(...exchange(request, new URLSearchParams(body.toString('utf8'))));
    if (path === '/userinfo') return send(...userInfo(request));
    send(404, { error: 'not_found' });
  }

  function document(): Record<string, unknown> {
    const plain = {
      issuer,
      authorization_endpoint: `${issuer}/login`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    };
    return faults.document?.(plain) ?? plain;
  }

  function publicKey(): Record<string, unknown> {
    return { ...KEYS.publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'RS256', use: 'sig' };
  }

  function exchange(request: IncomingMessage, form: URLSearchParams): [status: number, body: unknown] {
    const credentials = `${formEncoded(clientId)}:${formEncoded(clientSecret)}`;
    const wanted = `Basic ${Buffer.from(credentials).toString('base64')}`;
    if (request.headers.authorization !== wanted) return [401, { error: 'invalid_client' }];
    const code = form.get('code') ?? '';
    const issued = codes.get(code);
    codes.delete(code);
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isRight =
      form.get('grant_type') === 'authorization_code' &&
      issued?.redirectUri === form.get('redirect_uri') &&
      issued.challenge === challenge;
    if (issued === undefined || !isRight) return [400, { error: 'invalid_grant' }];
    const accessToken = randomUUID();
    tokens.set(accessToken, issued.person);
    return [
      200,
      {
        access_token: accessToken,
        token_type: 'Bearer',
        expires_in: 300,
        id_token: idToken(issued),
      },
    ];
  }

  function idToken({ person, nonce, authTime }: IssuedCode): string {
    const { info: _info, ...claims } = person;
    const right = {
      iss: issuer,
      aud: clientId,
      exp: seconds() + 300,
      iat: seconds(),
      auth_time: authTime,
      ...(nonce !== null && { nonce }),
      ...claims,
    };
    return signed(faults.claims?.(right) ?? right);
  }

  function signed(claims: Record<string, unknown>): string {
    const { signature } = faults;
    if (signature === 'none') return `${json({ alg: 'none' })}.${json(claims)}.`;
    if (signature === 'client_secret') {
      const text = `${json({ alg: 'HS256' })}.${json(claims)}`;
      return `${text}.${createHmac('sha256', clientSecret).update(text).digest('base64url')}`;
    }
    const text = `${json({ alg: 'RS256', kid: 'k1' })}.${json(claims)}`;
    const made = rs256(text, signature === 'other_key' ? OTHER_KEYS.privateKey : KEYS.privateKey);
    return `${text}.${signature === 'cut' ? made.slice(0, -8) : made}`;
  }

  function userInfo(request: IncomingMessage): [status: number, body: unknown] {
    const person = tokens.get(request.headers.authorization?.replace(/^Bearer /i, '') ?? '');
    if (person === undefined) return [401, { error: 'invalid_token' }];
    return [200, { sub: person.sub, ...(person.info as object | undefined) }];
  }

  return {
    issuer,
    clientId,
    clientSecret,
    requests,
    get faults() {
      return faults;
    },
    set faults(next) {
      faults = next;
    },
    asked: (address) => new URL(address).searchParams,
    logIn: (address, person, secondsAgo = 0) => {
      const requested = new URL(address).searchParams;
      const value = (name: string): string => requested.get(name) ?? '';
      if (value('response_type') !== 'code') throw new Error('not the code flow');
      if (value('client_id') !== clientId) throw new Error('another client');
      if (!value('scope').split(' ').includes('openid')) throw new Error('not OpenID Connect');
      if (value('code_challenge_method') !== 'S256' || value('code_challenge').length !== 43)
        throw new Error('no PKCE');
      const code = randomUUID();
      codes.set(code, {
        redirectUri: value('redirect_uri'),
        challenge: value('code_challenge'),
        nonce: requested.get('nonce'),
        person,
        authTime: seconds() - secondsAgo,
      });
      const response = { code, state: value('state'), iss: issuer, ...faults.response };
      const kept = Object.entries(response).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string',
      );
      return new URLSearchParams(kept).toString();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function rs256(text: string, key: KeyObject): string {
  return createSign('sha256').update(text).sign({ key, padding: constants.RSA_PKCS1_PADDING }, 'base64url');
}

/** As RFC 6749 has it for client credentials: the encoding of HTML forms. */
function formEncoded(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1);
}
