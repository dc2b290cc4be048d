import type { ConnectionCheck } from '#contract/connections.ts';
import type { Consented } from '#domain/connections/credentials.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { formatDay } from '#web/lib/moments.ts';
import { toast } from '#web/lib/use-toast.ts';

/** How the answer of a consent page is returned. */
interface ReturnText {
  /** Where our address must be registered; null if the marketplace needs none. */
  readonly told: string | null;
  /** Our return address. */
  readonly address: string;
  /** What to do if the marketplace does not return here. */
  readonly paste: string;
}

/** @param origin of this page */
export function returnText(marketplace: Consented, origin: string): ReturnText {
  const name = MARKETPLACE_NAMES[marketplace];
  const address = `${origin}/connect/${marketplace}`;
  const told =
    marketplace === 'ebay'
      ? 'On eBay, under your RuName, enter this address for both accepted and declined:'
      : 'On Etsy, add this to the callback URLs of your app:';
  const pasted = 'copy its full address and paste it here within five minutes.';
  if (isPublic(origin)) {
    return { told, address, paste: `If you land on a page of ${name} instead of here, ${pasted}` };
  }
  if (marketplace === 'ebay') {
    const paste = `eBay returns to https addresses only, and this page has none. After you agree you land on an eBay page: ${pasted}`;
    return { told: null, address, paste };
  }
  const paste = `If you land on a page that cannot be shown after you agree, ${pasted}`;
  return { told, address, paste };
}

/** Whether marketplaces return to an origin. */
export function isPublic(origin: string): boolean {
  return origin.startsWith('https:');
}

/** @param endsOn a day such as "2027-05-31"; "" if unknown */
export function consentText(name: string, isGiven: boolean, endsOn: string): string {
  if (!isGiven) return `You log in to ${name}, agree, and return here.`;
  return endsOn === ''
    ? 'Your authorization is saved.'
    : `Your authorization is saved and valid until ${formatDay(endsOn)}.`;
}

/** Reports the result of a stored consent. */
export function showConsent(marketplace: Consented, check: ConnectionCheck | null): void {
  const name = MARKETPLACE_NAMES[marketplace];
  if (check === null) toast('Authorization saved', `The connection to ${name} was not tested.`);
  else if (check.success) toast(`${name} is connected`, `${name} accepted your authorization.`);
  else toast('Authorization saved', check.error ?? `Could not reach ${name} to test it.`, 'destructive');
}
