import type { Db } from '#db/client.ts';
import { findUser } from '#db/queries/identity/users.ts';
import type { Instant } from '#domain/units.ts';
import { makeVerificationLink } from '#usecases/identity/accounts/verification-link.ts';
import { noticeMail } from '#usecases/repricing/alerts/alert-email.ts';
import { PLAIN_MAILS, verificationMail } from './email-texts.ts';
import type { Mailer } from './mailer.ts';
import type { MailOrder } from './queued-email.ts';

/**
 * Writes a queued email and sends it, to the current address. A verification link is created here and never stored in
 * clear, so a retried email contains a new one. Nothing is sent to a removed user, about an address that has been
 * verified, or while another link is being created.
 * @throws Error when it could not be sent
 */
export async function sendMail(
  { db, now, mailer }: { db: Db; now: () => Instant; mailer: Mailer },
  order: MailOrder,
): Promise<void> {
  const { userId, home } = order;
  const user = await findUser(db, userId);
  if (user === null) return;
  if (order.mail === 'notice' || order.mail === 'digest') {
    const mail = await noticeMail(db, order, home);
    // Only administrators receive alerts.
    if (mail !== null && user.role === 'admin') await mailer.send({ to: user.email, ...mail });
    return;
  }
  const { mail } = order;
  if (mail !== 'verify_email') return mailer.send({ to: user.email, ...PLAIN_MAILS[mail](home) });
  const link = await makeVerificationLink(db, user, home, now());
  if (link !== null) await mailer.send({ to: user.email, ...verificationMail(home, link.url) });
}
