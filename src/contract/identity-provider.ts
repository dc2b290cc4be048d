import { z } from 'zod';
import { Moment } from './fields.ts';
import { SessionUser } from './session.ts';

/** Where the provider sends the browser back to. */
export const PROVIDER_RETURN_PATH = '/auth/return';

/** GET /api/openid: what the login page shows. */
export const LoginWays = z.object({
  /** The name on the button; null where no identity provider is in use. */
  provider: z.string().nullable(),
  /** Who may log in with a password. */
  directLogin: z.enum(['all', 'administrators']),
});
export type LoginWays = z.output<typeof LoginWays>;

/** POST /api/openid/login and /api/openid/step-up: the path of the page to show afterwards. */
export const StartProviderLogin = z.strictObject({ returnTo: z.string().max(2_000) });

/** The address of the provider's login page. A cookie binds the login to this browser for 10 minutes. */
export const ProviderPage = z.object({ address: z.url() });
export type ProviderPage = z.output<typeof ProviderPage>;

/** POST /api/openid/answer: the parameters that the provider sent the browser back with, without the question mark. */
export const ProviderAnswer = z.strictObject({ query: z.string().max(4_096) });

/** A login has a `user`; a fresh login that confirmed the session has none. */
export const ProviderLoginDone = z.object({
  user: SessionUser.nullable(),
  /** A path of our own pages. */
  returnTo: z.string(),
});
export type ProviderLoginDone = z.output<typeof ProviderLoginDone>;

const line = (most: number, message: string) =>
  z.string().trim().min(1, message).max(most, `Enter at most ${most} characters`);

const Names = z.array(line(500, 'Enter a name, or remove the line')).max(100, 'Enter at most 100 names');

const Scope = z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/, 'Enter scopes separated by spaces');

/** The settings of the identity provider. */
const ProviderValues = z.strictObject({
  isOn: z.boolean(),
  issuer: line(500, 'Enter the issuer URL'),
  clientId: line(200, 'Enter the client ID'),
  /** Masked in responses. Sent back unchanged it keeps the secret; "" is a public client. */
  clientSecret: z.string().trim().max(1_000, 'Enter at most 1,000 characters'),
  label: line(40, 'Enter the name on the button'),
  /** "openid" is always requested. */
  scopes: z.array(Scope).max(20, 'Enter at most 20 scopes'),
  groupsClaim: line(200, 'Enter the name of the claim, such as groups'),
  /** Members become administrators, and lose that role when they leave. Empty: the role is given here. */
  adminGroups: Names,
  /** Only these and the groups of administrators may come in. Empty: everybody whom the provider lets in. */
  userGroups: Names,
  linksAccounts: z.boolean(),
  createsAccounts: z.boolean(),
  secondFactor: z.enum(['provider', 'reported']),
  factorAcrs: Names,
  directLogin: z.enum(['all', 'administrators']),
});

/** PUT /api/openid/settings. `version` as it was read; null before the first save. */
export const EditProvider = ProviderValues.extend({ version: z.int().nullable() });
export type EditProvider = z.output<typeof EditProvider>;

/** GET /api/openid/settings. `values` is null before the first save. */
export const ProviderSettings = z.object({
  values: ProviderValues.nullable(),
  version: z.int().nullable(),
  updatedAt: Moment.nullable(),
  /** To be entered at the provider, exactly so. */
  redirectUri: z.string(),
});
export type ProviderSettings = z.output<typeof ProviderSettings>;

/** POST /api/openid/test. */
export const TestProvider = z.strictObject({ issuer: ProviderValues.shape.issuer });

/** What was found out about a provider, in sentences. */
export const ProviderTest = z.object({
  isUsable: z.boolean(),
  findings: z.array(z.object({ isProblem: z.boolean(), text: z.string() })),
});
export type ProviderTest = z.output<typeof ProviderTest>;
