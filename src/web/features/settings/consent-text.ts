import type { ConnectionCheck } from '#contract/connections.ts';
import type { Consented } from '#domain/credentials.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { formatDay } from '#web/lib/moments.ts';
import { toast } from '#web/lib/use-toast.ts';

/** How the answer of a consent page gets back here. */
interface ReturnWords {
  /** Where the marketplace has to be told our address; null where it takes none. */
  readonly told: string | null;
  /** Our own address for answers. */
  readonly address: string;
  /** What to do when one is not led back. */
  readonly paste: string;
}

/** @param origin under which this page was loaded */
export function returnWords(marketplace: Consented, origin: string): ReturnWords {
  const name = MARKETPLACE_NAMES[marketplace];
  const address = `${origin}/connect/${marketplace}`;
  const told =
    marketplace === 'ebay'
      ? 'At eBay, under the RuName, enter this as the address for both accepted and declined:'
      : 'At Etsy, among the callback addresses of your app, enter this one:';
  const pasted = 'copy its whole address and paste it here within five minutes.';
  if (isPublic(origin)) {
    return { told, address, paste: `Should you end on a page of ${name} instead of here, ${pasted}` };
  }
  if (marketplace === 'ebay') {
    const paste = `eBay leads back to https addresses only, and this page has none. You end on a page of eBay after you agreed: ${pasted}`;
    return { told: null, address, paste };
  }
  const paste = `Should you end on a page that cannot be shown after you agreed, ${pasted}`;
  return { told, address, paste };
}

/** Whether marketplaces lead people back to an origin. */
export function isPublic(origin: string): boolean {
  return origin.startsWith('https:');
}

/** @param endsOn a day such as "2027-05-31"; "" when nobody says */
export function consentWords(name: string, isGiven: boolean, endsOn: string): string {
  if (!isGiven) return `You sign in at ${name}, agree, and come back here.`;
  return endsOn === ''
    ? 'Your consent is stored.'
    : `Your consent is stored and good until ${formatDay(endsOn)}.`;
}

/** Tells what became of a consent that was stored. */
export function tellConsent(marketplace: Consented, check: ConnectionCheck | null): void {
  const name = MARKETPLACE_NAMES[marketplace];
  if (check === null) toast('Consent stored', `${name} was not tested with it.`);
  else if (check.success) toast(`${name} is connected`, `Your consent is stored, and ${name} takes it.`);
  else toast('Consent stored', check.error ?? `${name} could not be reached with it.`, 'destructive');
}
