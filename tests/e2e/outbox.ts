import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The newest mail to an address in the outbox folder, which is where mail goes without a mail server. */
function mailTo(address: string): string {
  const folder = join(process.env.PRICEWRIGHT_E2E_DATA ?? '', 'outbox');
  const texts = (existsSync(folder) ? readdirSync(folder) : [])
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8'));
  return texts.findLast((text) => text.startsWith(`To: ${address}\n`)) ?? '';
}

/** The link of the newest mail to an address that verifies it; null while there is none. */
export function verificationLinkTo(address: string): string | null {
  return /http:\S+\/verify-email\?token=\S+/.exec(mailTo(address))?.[0] ?? null;
}
