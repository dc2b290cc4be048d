import type { Db } from '#db/client.ts';
import { findUser } from '#db/queries/identity/users.ts';
import type { Instant } from '#domain/units.ts';
import { PLAIN_EMAILS, passwordLinkEmail, verificationEmail } from '#usecases/email/email-texts.ts';
import type { Mailer } from '#usecases/email/mailer.ts';
import type { QueuedEmail } from '#usecases/email/queued-email.ts';
import { weeklyEmail } from '#usecases/email/weekly-email.ts';
import { makePasswordLink } from '#usecases/identity/accounts/password-link.ts';
import { makeVerificationLink } from '#usecases/identity/accounts/verification-link.ts';
import { alertEmail } from '#usecases/repricing/alerts/alert-email.ts';

/**
 * Writes a queued email and sends it, to the current address. A link is created here and never stored in clear, so a
 * retried email contains a new one. Nothing is sent to a removed user, about an address that has been
 * verified, or while another link is being created.
 * @throws Error when it could not be sent
 */
export async function sendEmail(
  { db, now, mailer }: { db: Db; now: () => Instant; mailer: Mailer },
  queued: QueuedEmail,
): Promise<void> {
  const { userId, home } = queued;
  const user = await findUser(db, userId);
  if (user === null) return;
  if (queued.mail === 'notice' || queued.mail === 'digest') {
    const email = await alertEmail(db, queued, home);
    // Only administrators receive alerts.
    if (email !== null && user.role === 'admin') await mailer.send({ to: user.email, ...email });
    return;
  }
  if (queued.mail === 'weekly') {
    if (!user.weeklySummary || !user.approved) return;
    return mailer.send({ to: user.email, ...(await weeklyEmail(db, queued.monday, home, user.role)) });
  }
  const { mail } = queued;
  if (mail === 'password_link') {
    const link = await makePasswordLink(db, user, home, now());
    if (link !== null) await mailer.send({ to: user.email, ...passwordLinkEmail(home, link) });
    return;
  }
  if (mail !== 'verify_email') return mailer.send({ to: user.email, ...PLAIN_EMAILS[mail](home) });
  const link = await makeVerificationLink(db, user, home, now());
  if (link !== null) await mailer.send({ to: user.email, ...verificationEmail(home, link.url) });
}
