import type { AuditAction } from '#domain/audit-actions.ts';
import type { AuditedCall, Scene } from './audited-calls.ts';
import { cookieOf, PASSWORD } from './test-app.ts';
import { codeOf } from './two-factor.ts';

const ANN = 'ann@example.com';
/** A code works once: the next one comes with the next step. Milliseconds. */
const STEP = 30_000;

const asAnn = ({ know }: Scene) => ({ headers: { cookie: know('cookie') } });

/** Ann's session goes on under another cookie. */
function keepCookie({ known, secrets }: Scene, cookie: string): void {
  known.set('cookie', cookie);
  secrets.add(cookie.split('=')[1] ?? '');
}

/** A call of the second factor with the code of this moment. */
function withCode(step: string, writes: readonly AuditAction[], body: object): AuditedCall {
  return {
    route: `POST /api/account/two-factor/${step}`,
    writes,
    ready: async (scene) => {
      scene.app.advance(STEP);
      return { payload: { ...body, code: codeOf(scene.app, scene.know('totp')) }, over: asAnn(scene) };
    },
    keep: (scene, answer) => {
      for (const code of answer.json().recoveryCodes ?? []) scene.secrets.add(code);
      if (answer.cookies.length > 0) keepCookie(scene, cookieOf(answer));
    },
  };
}

/** Actions of users on their own account. */
export const OWN_CALLS: readonly AuditedCall[] = [
  {
    route: 'PUT /api/account/profile',
    writes: ['user.profile_edited'],
    ready: async (scene) => ({
      payload: { fullName: 'Ann Arundel', phoneNumber: '+1 555 0199' },
      over: asAnn(scene),
    }),
  },
  {
    route: 'POST /api/account/two-factor/begin',
    writes: ['two_factor.begun'],
    ready: async (scene) => ({ payload: { password: PASSWORD }, over: asAnn(scene) }),
    keep: ({ known, secrets }, answer) => {
      known.set('totp', answer.json().secret);
      secrets.add(answer.json().secret);
    },
  },
  withCode('confirm', ['two_factor.enabled'], {}),
  withCode('recovery-codes', ['two_factor.recovery_codes_replaced'], { password: PASSWORD }),
  withCode('disable', ['two_factor.disabled'], { password: PASSWORD }),
  {
    route: 'POST /api/sessions/end-others',
    writes: ['session.others_ended'],
    ready: async (scene) => {
      await scene.app.logIn(ANN);
      return { payload: {}, over: asAnn(scene) };
    },
  },
  {
    route: 'DELETE /api/sessions/:id',
    writes: ['session.ended'],
    ready: async (scene) => {
      await scene.app.logIn(ANN);
      const sessions = (await scene.app.get('/api/sessions', scene.know('cookie'))).json();
      const other = sessions.find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent);
      return { url: `/api/sessions/${other.id}`, over: asAnn(scene) };
    },
  },
];
