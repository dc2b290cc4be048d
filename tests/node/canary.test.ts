import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { instant } from '#domain/units.ts';
import { createLogger } from '#server/logger.ts';
import { openMailer } from '#src/bootstrap/smtp-mailer.ts';
import { readConfig } from '#src/config.ts';

const CANARY = 'cAnArY7Qz4';

describe('the operator’s secrets', () => {
  test('a mail server that does not answer is logged without its password', async () => {
    const lines: string[] = [];
    const log = createLogger('trace', { write: (line) => lines.push(line) });
    const given = {
      smtpUrl: `smtp://user:${CANARY}@127.0.0.1:9`,
      mailFrom: 'a@example.com',
      dataDir: '/nowhere',
    };
    const email = { to: 'ann@example.com', subject: 'x', text: 'y' };
    const error = await openMailer(given, () => instant(0))
      .send(email)
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Error);
    log.warn({ err: error, smtpUrl: 'x' }, 'email delivery failed; retrying');
    expect(lines.filter((line) => line.includes(CANARY))).toEqual([]);
  });

  test.each([
    'DATABASE_URL',
    'DATABASE_OWNER_URL',
    'METRICS_TOKEN',
    'PRICEWRIGHT_SECRET_KEY',
    'PRICEWRIGHT_OLD_SECRET_KEYS',
    'PRICEWRIGHT_BACKUP_PASSPHRASE',
    'SMTP_URL',
  ])('a wrong %s is refused without being repeated', (name) => {
    const result = readConfig({ [name]: CANARY });
    expect(result.ok).toBe(false);
    expect(JSON.stringify(result)).not.toContain(CANARY);
  });
});

test.each(['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_ENDPOINT'])(
  'a wrong %s is refused without being repeated, once traces are on',
  (name) => {
    const result = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318', [name]: CANARY });
    expect(result.ok).toBe(false);
    expect(JSON.stringify(result)).not.toContain(CANARY);
  },
);

describe('the pages', () => {
  const root = resolve(import.meta.dirname, '../..');
  const textsIn = (folder: string, ending: RegExp): string[] =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => ending.test(name))
      .map((name) => readFileSync(join(root, folder, name), 'utf8'));

  test('are made of sources that know no environment', () => {
    const sources = ['src/web', 'src/contract', 'src/domain'].flatMap((folder) =>
      textsIn(folder, /(?<!\.test)\.tsx?$/),
    );
    expect(sources.length).toBeGreaterThan(100);
    expect(sources.filter((text) => /process\.env|import\.meta\.env\.(?!DEV|PROD|MODE)/.test(text))).toEqual(
      [],
    );
  });

  test.skipIf(!existsSync(join(root, 'dist/web')))(
    'name no variable of the environment once they are built',
    () => {
      const built = textsIn('dist/web', /\.(js|html|css)$/);
      expect(built.length).toBeGreaterThan(0);
      expect(built.filter((text) => /SMTP_URL|METRICS_TOKEN=|process\.env\.[A-Z]+_/.test(text))).toEqual([]);
    },
  );
});
