import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { instant } from '#domain/units.ts';
import { openMailer } from '#src/bootstrap/smtp-mailer.ts';
import { verificationEmail } from '#usecases/email/email-texts.ts';
import type { Mailer } from '#usecases/email/mailer.ts';

const NOW = instant(Date.UTC(2026, 10, 21, 12));
const LINK = `https://prices.example.com/verify-email?token=${'a'.repeat(43)}`;
const EMAIL = { to: 'ann@example.com', ...verificationEmail('https://prices.example.com', LINK) };

let dataDir = '';
const servers: SMTPServer[] = [];
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'mail-'));
});
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise<void>((done) => server.close(done));
  rmSync(dataDir, { recursive: true });
});

/** An SMTP server on this machine. @returns its address and the messages it received */
async function aMailServer(options: SMTPServerOptions = {}) {
  const received: { from: string; to: string[]; message: string }[] = [];
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData: async (stream, { envelope }, done) => {
      const message = await text(stream);
      const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
      received.push({ from, to: envelope.rcptTo.map(({ address }) => address), message });
      done();
    },
    ...options,
  });
  servers.push(server);
  const listening = server.listen(0, '127.0.0.1');
  if (!listening.listening) await once(listening, 'listening');
  return { address: `127.0.0.1:${(listening.address() as AddressInfo).port}`, received };
}

function mailer(smtpUrl: string | null): Mailer {
  return openMailer({ smtpUrl, mailFrom: 'shop@example.com', dataDir }, () => NOW);
}

test('an email reaches one address through a real server with its link intact', async () => {
  const { address, received } = await aMailServer();
  await mailer(`smtp://${address}`).send(EMAIL);
  expect(received).toHaveLength(1);
  expect(received[0]).toMatchObject({ from: 'shop@example.com', to: ['ann@example.com'] });
  // Long lines are folded with "=" and a line end.
  const message = received[0]?.message.replaceAll('=\r\n', '').replaceAll('=3D', '=');
  expect(message).toContain('Subject: Verify your email address for Pricewright');
  expect(message).toContain(LINK);
  expect(readdirSync(dataDir)).toEqual([]);
});

test('an address is one address, whatever it contains', async () => {
  const { address, received } = await aMailServer();
  const send = mailer(`smtp://${address}`).send({ ...EMAIL, to: 'a@example.com, b@example.com' });
  await send.catch(() => undefined);
  expect(received.filter(({ to }) => to.length > 1 || to.includes('b@example.com'))).toEqual([]);
});

test('a subject cannot add a header', async () => {
  const { address, received } = await aMailServer();
  await mailer(`smtp://${address}`).send({ ...EMAIL, subject: 'Hello\r\nBcc: b@example.com' });
  expect(received[0]?.to).toEqual(['ann@example.com']);
  expect(received[0]?.message).not.toMatch(/^Bcc:/m);
});

test('a password is never sent to a server without TLS', async () => {
  let isTried = false;
  const { address } = await aMailServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: (_auth, _session, done) => {
      isTried = true;
      done(null, { user: 'shop' });
    },
  });
  await expect(mailer(`smtp://shop:secret@${address}`).send(EMAIL)).rejects.toThrow();
  expect(isTried).toBe(false);
});

test('an unreachable or rejecting server is an error that can be retried', async () => {
  const away = await aMailServer();
  for (const server of servers.splice(0)) await new Promise<void>((done) => server.close(done));
  await expect(mailer(`smtp://${away.address}`).send(EMAIL)).rejects.toThrow();
  const refusing = await aMailServer({
    onRcptTo: (_to, _session, done) => done(new Error('mailbox is full')),
  });
  await expect(mailer(`smtp://${refusing.address}`).send(EMAIL)).rejects.toThrow(/mailbox is full/);
});

test('a server that repeats the password in its refusal does not bring it into the error', async () => {
  const secret = 'pw|Q8/zX5=uI1oPbN4';
  const said = [secret, Buffer.from(`\0shop\0${secret}`).toString('base64'), encodeURIComponent(secret)].join(
    ' and ',
  );
  const repeating = await aMailServer({
    onMailFrom: (_from, _session, done) => done(new Error(`no, ${said}`)),
  });
  const address = `smtp://:${encodeURIComponent(secret)}@${repeating.address}`;
  const error = await mailer(address)
    .send(EMAIL)
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Error);
  const { message, stack } = error as Error;
  expect(message).toContain('no, [removed] and [removed] and [removed]');
  expect(`${stack} ${JSON.stringify(error)}`).not.toMatch(/pw\||pw%7C|cHd8|Q8.zX5/);
});

test('without a server each email is a file that only the owner of the process can read', async () => {
  await mailer(null).send(EMAIL);
  await mailer(null).send({ ...EMAIL, to: '../../etc/passwd' });
  const folder = join(dataDir, 'outbox');
  const files = readdirSync(folder);
  expect(files).toHaveLength(2);
  for (const file of files) {
    expect(file).toMatch(/^2026-11-21T12-00-00-000Z-[0-9a-f]{8}\.txt$/);
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  }
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8'));
  expect(texts.some((written) => written.startsWith('To: ann@example.com\nSubject: Verify'))).toBe(true);
  expect(texts.every((written) => written.includes(LINK))).toBe(true);
});
