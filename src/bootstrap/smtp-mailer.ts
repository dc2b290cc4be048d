import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Transporter } from 'nodemailer';
import { SecretWords } from '#connectors/secret-text.ts';
import type { Instant } from '#domain/units.ts';
import type { Config } from '#src/config.ts';
import type { Email, Mailer } from '#usecases/email/mailer.ts';

/** Milliseconds. A server that does not respond for this long is retried later. */
const TIMEOUT = 20_000;

/** Email through the server of `SMTP_URL`, else into the folder `outbox` of the data folder. */
export function openMailer(
  { smtpUrl, mailFrom, dataDir }: Pick<Config, 'smtpUrl' | 'mailFrom' | 'dataDir'>,
  now: () => Instant,
): Mailer {
  return smtpUrl === null ? outbox(join(dataDir, 'outbox'), now) : smtp(new URL(smtpUrl), mailFrom);
}

function smtp(url: URL, from: string): Mailer {
  const words = new SecretWords([url.password, decodeURIComponent(url.password)]);
  let opened: Promise<Transporter> | null = null;
  return {
    send: async ({ to, subject, text }) => {
      opened ??= openTransport(url);
      try {
        // As an object: a text would be read as a list of addresses.
        await (await opened).sendMail({ from, to: { name: '', address: to }, subject, text });
      } catch (error) {
        throw words.cutError(bare(error));
      }
    },
  };
}

/** The error for the log and the queued email, without what the library stores of the conversation. */
function bare(error: unknown): Error {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return Object.assign(new Error(message), { stack, code });
}

/** Loaded with the first email: the library takes some megabytes, and there are days without email. */
async function openTransport(url: URL): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  const user = decodeURIComponent(url.username);
  const pass = decodeURIComponent(url.password);
  const isSecure = url.protocol === 'smtps:';
  return createTransport({
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (isSecure ? 465 : 587) : Number(url.port),
    secure: isSecure,
    // A password never crosses the network in the clear.
    ...(user === '' ? {} : { auth: { user, pass }, requireTLS: true }),
    connectionTimeout: TIMEOUT,
    greetingTimeout: TIMEOUT,
    socketTimeout: TIMEOUT,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** One file per email, readable by the process's owner alone: it may contain a link that opens an account. */
function outbox(folder: string, now: () => Instant): Mailer {
  return {
    send: async (email) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const moment = new Date(now()).toISOString().replaceAll(/[:.]/g, '-');
      // No part of the name comes from input.
      const file = join(folder, `${moment}-${randomBytes(4).toString('hex')}.txt`);
      await writeFile(file, asText(email), { mode: 0o600, flag: 'wx' });
    },
  };
}

function asText({ to, subject, text }: Email): string {
  return `To: ${to}\nSubject: ${subject}\n\n${text}\n`;
}
