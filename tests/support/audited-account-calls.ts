import { sql } from 'drizzle-orm';
import { findUserByEmail } from '#db/queries/identity/users.ts';
import { makePasswordLink } from '#usecases/identity/accounts/password-link.ts';
import type { AuditedCall, Scene } from './audited-calls.ts';
import { OWN_CALLS } from './audited-own-calls.ts';
import { tokenIn } from './people.ts';
import { aRegistration, cookieOf, PASSWORD } from './test-app.ts';

const ANN = 'ann@example.com';
const TEMPORARY = 'temporary words of an admin';
const CHOSEN = 'eleven quiet owls listen 3';
const NO_ONE = { headers: {} };

/** An administrator's call about Ann. */
const onAnn = (path: string, payload: object = {}): NonNullable<AuditedCall['ready']> => {
  return async ({ know }) => ({ url: `/api/users/${know('ann')}${path}`, payload });
};

async function annsSession({ app, secrets }: Scene, password: string): Promise<string> {
  const cookie = await app.logIn(ANN, password);
  secrets.add(cookie.split('=')[1] ?? '');
  return cookie;
}

const RECEIVER = { name: 'Warehouse', address: 'https://hooks.example.com/in', events: ['price.changed'] };

/** A call about the receiver of webhooks. */
const onReceiver = (path = '', payload?: object): NonNullable<AuditedCall['ready']> => {
  return async ({ know }) => ({
    url: `/api/webhook-receivers/${know('receiver')}${path}`,
    ...(payload && { payload }),
  });
};

/** From the first to the last call about a receiver of webhooks. */
const RECEIVER_CALLS: readonly AuditedCall[] = [
  {
    route: 'POST /api/webhook-receivers',
    writes: ['webhook_receiver.created'],
    ready: async () => ({ payload: RECEIVER }),
    keep: ({ known, secrets }, answer) => {
      known.set('receiver', answer.json().id);
      secrets.add(answer.json().secret);
    },
  },
  {
    route: 'PUT /api/webhook-receivers/:id',
    writes: ['webhook_receiver.edited'],
    ready: onReceiver('', { ...RECEIVER, isOn: true }),
  },
  {
    route: 'POST /api/webhook-receivers/:id/secret',
    writes: ['webhook_receiver.secret_replaced'],
    ready: onReceiver('/secret'),
    keep: ({ secrets }, answer) => {
      secrets.add(answer.json().secret);
    },
  },
  {
    route: 'POST /api/webhook-receivers/:id/test',
    writes: ['webhook_receiver.tested'],
    ready: onReceiver('/test'),
    keep: ({ known }, answer) => {
      known.set('delivery', answer.json().deliveryId);
    },
  },
  {
    route: 'POST /api/webhook-receivers/:id/deliveries/:deliveryId/redeliver',
    writes: ['webhook_receiver.redelivered'],
    ready: async (scene) => onReceiver(`/deliveries/${scene.know('delivery')}/redeliver`)(scene),
  },
  {
    route: 'DELETE /api/webhook-receivers/:id',
    writes: ['webhook_receiver.deleted'],
    ready: onReceiver(),
  },
];

/** From the registration of an account to its end. */
export const ACCOUNT_CALLS: readonly AuditedCall[] = [
  {
    route: 'POST /api/register',
    writes: ['user.registered'],
    ready: async ({ secrets }) => {
      for (const secret of [PASSWORD, TEMPORARY, CHOSEN]) secrets.add(secret);
      return { payload: aRegistration({ email: ANN }), over: NO_ONE };
    },
    keep: async ({ app, known }) => {
      const { rows } = await app.db.execute<{ id: string }>(sql`SELECT id FROM users WHERE email = ${ANN}`);
      known.set('ann', rows[0]?.id ?? '');
    },
  },
  {
    route: 'POST /api/users/:id/verification-email',
    writes: ['user.verification_mail'],
    ready: onAnn('/verification-email'),
  },
  {
    route: 'POST /api/users/:id/verification-link',
    writes: ['user.verification_link'],
    ready: onAnn('/verification-link'),
    keep: ({ known, secrets }, answer) => {
      const token = new URL(answer.json().url).searchParams.get('token') ?? '';
      known.set('token', token);
      secrets.add(token);
    },
  },
  {
    route: 'GET /api/verify-email/:token',
    writes: ['user.verified'],
    ready: async ({ know }) => ({ url: `/api/verify-email/${know('token')}`, over: NO_ONE }),
  },
  {
    route: 'POST /api/tokens',
    writes: ['api_token.created'],
    ready: async () => ({
      payload: { name: 'Nightly', scopes: ['read'], expiresAt: '2026-02-01T00:00:00Z' },
    }),
    keep: ({ known, secrets }, answer) => {
      known.set('api token', answer.json().id);
      secrets.add(answer.json().token);
    },
  },
  {
    route: 'DELETE /api/tokens/:id',
    writes: ['api_token.revoked'],
    ready: async ({ know }) => ({ url: `/api/tokens/${know('api token')}` }),
  },
  ...RECEIVER_CALLS,
  { route: 'PUT /api/users/:id/approve', writes: ['user.approved'], ready: onAnn('/approve') },
  {
    route: 'POST /api/login',
    writes: ['login.succeeded'],
    ready: async () => ({
      payload: { username: ANN, password: PASSWORD, twoFactorToken: '' },
      over: NO_ONE,
    }),
    keep: ({ known, secrets }, answer) => {
      const cookie = cookieOf(answer);
      known.set('cookie', cookie);
      secrets.add(cookie.split('=')[1] ?? '');
    },
  },
  {
    route: 'POST /api/step-up',
    writes: ['step_up.succeeded'],
    ready: async ({ know }) => ({
      payload: { password: PASSWORD },
      over: { headers: { cookie: know('cookie') } },
    }),
  },
  {
    route: 'PUT /api/openid/settings',
    writes: ['identity_provider.saved'],
    ready: async ({ secrets }) => {
      secrets.add('a secret of the client');
      return {
        payload: {
          isOn: true,
          issuer: 'https://login.example.com',
          clientId: 'pricewright',
          clientSecret: 'a secret of the client',
          label: 'Shop login',
          scopes: ['openid', 'email'],
          groupsClaim: 'groups',
          adminGroups: [],
          userGroups: [],
          linksAccounts: true,
          createsAccounts: false,
          secondFactor: 'reported',
          factorAcrs: [],
          directLogin: 'all',
          version: null,
        },
      };
    },
  },
  {
    route: 'POST /api/openid/answer',
    writes: ['account.linked', 'login.succeeded'],
    ready: async ({ app, secrets }) => {
      const started = await app.post('/api/openid/login', { returnTo: '/' });
      const cookie = cookieOf(started);
      secrets.add(cookie.split('=')[1] ?? '');
      const query = new URL(started.json().address).search.slice(1);
      return { payload: { query }, over: { headers: { cookie } } };
    },
  },
  ...OWN_CALLS,
  {
    route: 'POST /api/logout',
    writes: ['logout'],
    ready: async ({ know }) => ({ payload: {}, over: { headers: { cookie: know('cookie') } } }),
  },
  {
    route: 'DELETE /api/users/:id/sessions',
    writes: ['user.sessions_ended'],
    ready: async (scene) => {
      await annsSession(scene, PASSWORD);
      return { url: `/api/users/${scene.know('ann')}/sessions` };
    },
  },
  {
    route: 'PUT /api/users/:id/role',
    writes: ['user.role_changed'],
    ready: onAnn('/role', { role: 'admin' }),
  },
  {
    route: 'PUT /api/users/:id/reset-password',
    writes: ['user.password_reset'],
    ready: onAnn('/reset-password', { newPassword: TEMPORARY }),
  },
  {
    route: 'POST /api/change-password',
    writes: ['password_change.succeeded'],
    ready: async () => ({
      payload: { username: ANN, password: TEMPORARY, newPassword: CHOSEN },
      over: NO_ONE,
    }),
  },
  {
    route: 'POST /api/forgot-password',
    writes: ['password_link.requested'],
    ready: async () => ({ payload: { username: ANN }, over: NO_ONE }),
  },
  {
    route: 'POST /api/reset-password',
    writes: ['password_link.used'],
    ready: async ({ app, secrets }) => {
      const ann = await findUserByEmail(app.db, ANN);
      if (ann === null) throw new Error('Ann was removed');
      const token = tokenIn((await makePasswordLink(app.db, ann, 'http://here', app.deps.now())) ?? '');
      secrets.add(token);
      return { payload: { token, newPassword: CHOSEN }, over: NO_ONE };
    },
  },
  {
    route: 'PUT /api/users/:id/disable-2fa',
    writes: ['user.two_factor_disabled'],
    ready: async (scene) => {
      await scene.app.db.execute(sql`UPDATE users SET two_factor_enabled = true WHERE email = ${ANN}`);
      return onAnn('/disable-2fa')(scene);
    },
  },
  {
    route: 'PUT /api/users/:id/withdraw-approval',
    writes: ['user.approval_withdrawn'],
    ready: async (scene) => {
      await annsSession(scene, CHOSEN);
      return onAnn('/withdraw-approval')(scene);
    },
  },
  {
    route: 'DELETE /api/users/:id',
    writes: ['user.removed'],
    ready: async ({ app, know }) => {
      await app.db.execute(sql`UPDATE users SET role = 'user' WHERE email = ${ANN}`);
      return { url: `/api/users/${know('ann')}` };
    },
  },
];
