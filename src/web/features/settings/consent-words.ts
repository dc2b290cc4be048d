import type { ConnectionCheck } from '#contract/connections.ts';
import type { Consented } from '#domain/credentials.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { toast } from '#web/lib/use-toast.ts';

/** Where a marketplace has to be told which address it leads back to. */
const TOLD_AT: Readonly<Record<Consented, string>> = {
  ebay: 'At eBay, under the RuName, enter this as the address for both accepted and declined:',
  etsy: 'At Etsy, among the callback addresses of your app, enter this one:',
};

interface ReturnWords {
  readonly told: string;
  /** Our own address for answers. */
  readonly address: string;
  /** What to do where a marketplace does not lead back by itself. */
  readonly paste: string;
}

/** How the answer gets back here. @param origin under which this page was loaded */
export function returnWords(marketplace: Consented, origin: string): ReturnWords {
  const name = MARKETPLACE_NAMES[marketplace];
  return {
    told: TOLD_AT[marketplace],
    address: `${origin}/connect/${marketplace}`,
    paste: isPublic(origin)
      ? `Only if ${name} does not lead you back here: copy the whole address of the page that you end on.`
      : `${name} leads back to https addresses, and this server has none. After you agreed, copy the whole address of the page that you end on, also if that page cannot be loaded, and paste it here within five minutes.`,
  };
}

/** Whether marketplaces lead people back to an origin. */
export function isPublic(origin: string): boolean {
  return origin.startsWith('https:');
}

/** Tells what became of a consent that was stored. */
export function tellConsent(marketplace: Consented, check: ConnectionCheck | null): void {
  const name = MARKETPLACE_NAMES[marketplace];
  if (check === null) toast('Consent stored', `${name} was not tested with it.`);
  else if (check.success) toast(`${name} is connected`, `Your consent is stored, and ${name} takes it.`);
  else toast('Consent stored', check.error ?? `${name} could not be reached with it.`, 'destructive');
}
