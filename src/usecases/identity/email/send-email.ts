import type { Db } from '#db/client.ts';
import { findUser } from '#db/queries/identity/users.ts';
import type { Instant } from '#domain/units.ts';
import { makeVerificationLink } from '#usecases/identity/accounts/verification-link.ts';
import { noticeMail } from '#usecases/repricing/alerts/alert-email.ts';
import { PLAIN_MAILS, verificationMail } from './email-texts.ts';
import type { Mailer } from './mailer.ts';
import type { MailOrder } from './queued-email.ts';

/**
 * Writes a mail that was ordered and hands it over, to the address as it is now. A verification link is made here and
 * stored nowhere in clear, so a mail that is tried again carries a new one. Nothing is sent to somebody who is gone,
 * about an address that was verified meanwhile, or in the moment that somebody else made a link.
 * @throws Error when it could not be handed over
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
    // Whoever is no administrator any more has no use for it.
    if (mail !== null && user.role === 'admin') await mailer.send({ to: user.email, ...mail });
    return;
  }
  const { mail } = order;
  if (mail !== 'verify_email') return mailer.send({ to: user.email, ...PLAIN_MAILS[mail](home) });
  const link = await makeVerificationLink(db, user, home, now());
  if (link !== null) await mailer.send({ to: user.email, ...verificationMail(home, link.url) });
}
