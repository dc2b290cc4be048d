import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The newest email to an address in the outbox folder, where email is stored without a mail server. */
function mailTo(address: string): string {
  const folder = join(process.env.PRICEWRIGHT_E2E_DATA ?? '', 'outbox');
  const texts = (existsSync(folder) ? readdirSync(folder) : [])
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8'));
  return texts.findLast((text) => text.startsWith(`To: ${address}\n`)) ?? '';
}

/** The verification link in the newest email to an address; null if there is none. */
export function verificationLinkTo(address: string): string | null {
  return /http:\S+\/verify-email\?token=\S+/.exec(mailTo(address))?.[0] ?? null;
}
