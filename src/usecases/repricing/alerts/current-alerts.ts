import type { OpenEdit } from '#db/queries/marketplaces/sending/external-edits.ts';
import type { EndedCall, WatchedFigures } from '#db/queries/repricing/alert-figures.ts';
import type { CurrentAlert } from '#db/queries/repricing/alerts.ts';
import { isBackupOverdue, lastBackup } from '#domain/backups/backup-schedule.ts';
import { modeResetSentence } from '#domain/connections/mode-reset.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { moneyText, percentText } from '#domain/text.ts';
import { storeTimeText } from '#domain/time/local-time.ts';
import type { Cents, Instant } from '#domain/units.ts';
import type { OffReason } from '#domain/webhook-receivers/webhook-events.ts';
import { BREAKER } from '#usecases/repricing/engine/engine-deps.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Missed checks after which users are alerted. */
const MISSED_CHECKS = 3;
/** Credentials that expire within so many days are alerted of once more. */
const LAST_DAYS = 7;
/** A few listings that wait are no news: their own page says so. */
const MIN_PAUSED = 10;
/** Longest quoted text in an alert, with room for the sentence around it. */
const MAX_QUOTE_LENGTH = 1_800;

/** All current alerts, by the current figures. @param edits external edits that wait for a user */
export function currentAlerts(
  figures: WatchedFigures,
  now: Instant,
  edits: readonly OpenEdit[] = [],
): CurrentAlert[] {
  return [
    ...halted(figures),
    ...resetByUpgrade(figures),
    ...rolledBack(figures),
    ...figures.connected.map(connected),
    ...noCheck(figures, now),
    ...figures.stuck.map(stuck),
    ...edits.map(externalEdit),
    ...figures.returned.map(returned),
    ...figures.unknown.map(unknown),
    ...figures.refused.map(refused),
    ...figures.paused
      .filter(({ count }) => count >= MIN_PAUSED)
      .map((found) => paused(found, figures.timeZone)),
    ...figures.failing.map(connection),
    ...figures.unreadCompetitors.map((found) => unreadCompetitors(found, figures.timeZone)),
    ...figures.ending.map((ending) => credentials(ending, now)),
    ...figures.webhookReceivers.map((found) => webhookReceiver(found, figures.timeZone)),
    ...figures.lostWithPrice.map(lostWithPrice),
    ...figures.refusedBusiness.map(refusedBusiness),
    ...figures.unreturnedStock.map(unreturnedStock),
    ...figures.unlinkedPictures.map(unlinkedPictures),
    ...figures.endedCalls.map(endedCall),
    ...figures.feeBreakers.map(feeBreaker),
    ...figures.feeDrifts.map(feeDrift),
    ...figures.chargedFees.map(chargedFee),
    ...backups(figures, now),
    ...figures.lowered.map(lowered),
    ...hiddenClients(figures),
    ...belowFloor(figures),
    ...lowOffers(figures),
    ...businessPrices(figures),
    ...figures.idleRules.map(idleRule),
  ];
}

function halted({ isHalted, haltedBy, haltReason }: WatchedFigures): CurrentAlert[] {
  if (!isHalted) return [];
  const why = haltReason === null ? '' : `: ${sentence(haltReason)}`;
  const isBreaker = haltedBy === BREAKER.name;
  const message = `Repricing was halted by ${isBreaker ? `the ${haltedBy}` : (haltedBy ?? 'a user')}${why === '' ? '.' : why}`;
  // The stopped run shows more than the halted bar on every screen.
  return [{ kind: 'halted', subject: 'engine', message, link: isBreaker ? '/runs' : '/' }];
}

function resetByUpgrade({ resetOnUpgrade: marketplaces }: WatchedFigures): CurrentAlert[] {
  if (marketplaces.length === 0) return [];
  const verb = marketplaces.length === 1 ? 'was' : 'were';
  return [
    {
      kind: 'mode_reset',
      subject: 'engine',
      link: '/settings',
      message: `${listed(marketplaces)} ${verb} switched to recommend only by the upgrade. Review the next run, then go live again.`,
    },
  ];
}

function rolledBack({ rollback, timeZone }: WatchedFigures): CurrentAlert[] {
  if (rollback === null) return [];
  const { cause, knownUntil, marketplaces } = rollback;
  const since = storeTimeText(knownUntil, timeZone);
  const verb = marketplaces.length === 1 ? 'was' : 'were';
  const switched =
    marketplaces.length === 0 ? '' : ` ${listed(marketplaces)} ${verb} switched to recommend only.`;
  const message = {
    restored_backup: `The database was restored from a backup or copied. Costs, rules and prices are from ${since}. Queued prices were canceled, and everyone must log in again.${switched} Check the costs, review the next run, then go live again.`,
    downtime: `Prices were not checked for more than a day, since ${since}, so costs and offers may be outdated.${switched} Check them, review the next run, then go live again.`,
  }[cause];
  return [{ kind: 'mode_reset', subject: cause, message, link: '/settings' }];
}

function connected({ marketplace, because }: WatchedFigures['connected'][number]): CurrentAlert {
  const message = `${modeResetSentence(marketplace, because)} Review the next run, then go live again.`;
  const link =
    because === 'external_edits' ? `/listings?state=external_edit&marketplace=${marketplace}` : '/settings';
  return { kind: 'mode_reset', subject: marketplace, message, link };
}

function noCheck(figures: WatchedFigures, now: Instant): CurrentAlert[] {
  const { checkInterval, lastFullRunAt, firstListingAt, listingCount, isHalted } = figures;
  const since = lastFullRunAt ?? firstListingAt;
  if (listingCount === 0 || since === null || isHalted) return [];
  const missed = Math.floor((now - since) / (checkInterval * MINUTE));
  if (missed < MISSED_CHECKS) return [];
  return [
    {
      kind: 'no_check',
      subject: 'engine',
      link: '/runs',
      message: `Prices have not been checked for three intervals of ${checkInterval} minutes. Check that the worker process is running ("pricewright work").`,
    },
  ];
}

function connection(failing: WatchedFigures['failing'][number]): CurrentAlert {
  const { marketplace, problem, isRead, lacksRight } = failing;
  const what = problem.slice(0, MAX_QUOTE_LENGTH);
  const name = MARKETPLACE_NAMES[marketplace];
  const subject = lacksRight ? `${marketplace} money` : marketplace;
  const alert = { kind: 'connection', subject, link: '/settings' } as const;
  if (lacksRight) {
    const effect = `What ${name} booked cannot be read, so the profit of its sales stays estimated.`;
    const forUsers = `${effect} Administrators can see why under Settings.`;
    return { ...alert, message: `${effect} ${what}`, forUsers };
  }
  // A problem of a complete sync is our own sentence, about listings.
  if (isRead) return { ...alert, message: what };
  const forUsers = `The last sync with ${name} failed. Administrators can see why under Settings.`;
  return { ...alert, message: `The last sync with ${name} failed: ${what}`, forUsers };
}

function unreadCompetitors(
  found: WatchedFigures['unreadCompetitors'][number],
  timeZone: string | null,
): CurrentAlert {
  const { marketplace, since, why } = found;
  const name = MARKETPLACE_NAMES[marketplace];
  const effect = `Competitors of your listings on ${name} have not been synced since ${storeTimeText(since, timeZone)}. Prices that follow them do not change.`;
  const message = `${effect} ${sentence(why)}`;
  const link = `/listings?marketplace=${marketplace}`;
  return { kind: 'connection', subject: `${marketplace} competitors`, message, forUsers: effect, link };
}

function stuck({ marketplace, count, problem }: WatchedFigures['stuck'][number]): CurrentAlert {
  const what = `${MARKETPLACE_NAMES[marketplace]} is not accepting prices; ${pricesOf(count)} ${count === 1 ? 'is' : 'are'} waiting.`;
  const link = `/listings?marketplace=${marketplace}`;
  const message = `${what} ${sentence(problem)}`;
  const forUsers = `${what} Administrators can see why.`;
  return { kind: 'sending_stuck', subject: marketplace, message, forUsers, link, size: count };
}

const EDIT_PROBLEMS = {
  loses_money: 'which loses money',
  below_floor: 'below its lowest allowed price',
  above_ceiling: 'above its highest allowed price',
} as const satisfies Record<OpenEdit['problem'], string>;

const UNREPAIRED = {
  policy: 'It is on hold.',
  repeated: 'It was already repaired once within 24 hours, so it is on hold until you resume it.',
  left: 'It is on hold until you resume it.',
  doubtful: 'It was not repaired because current costs and fees do not allow the earlier price. Check them.',
  not_automatic: 'It was not repaired, because repricing may not change it now.',
  too_many: 'It was not repaired, because too many prices were changed there.',
} as const satisfies Record<NonNullable<OpenEdit['unrepairedBecause']>, string>;

function externalEdit(edit: OpenEdit): CurrentAlert {
  const { id, listingId, marketplace, sku, price, problem, unrepairedBecause, isInForce } = edit;
  const what = `${sku} was changed to ${moneyText(price)} on ${MARKETPLACE_NAMES[marketplace]}, ${EDIT_PROBLEMS[problem]}.`;
  const repaired = `Pricewright ${isInForce ? 'is setting' : 'set'} it to ${moneyText(edit.repairPrice)}.`;
  const then = unrepairedBecause === null ? repaired : UNREPAIRED[unrepairedBecause];
  const cost = unrepairedBecause === null ? null : costChanged(edit);
  const alert = {
    kind: 'external_edit',
    subject: `edit ${id}`,
    message: `${what} ${then}`,
    link: `/listings?panel=${listingId}`,
  } as const;
  if (cost === null) return alert;
  // The sentence for users goes to receivers of webhooks, too, which get no cost.
  const forUsers = `${alert.message} ${costOf(edit)} was changed in the 24 hours before that.`;
  return { ...alert, message: `${alert.message} ${cost}`, forUsers };
}

/** A cost that was changed shortly before is the likeliest mistake. */
function costChanged(edit: OpenEdit): string | null {
  const { costChange } = edit;
  if (costChange === null) return null;
  const [from, to] = [costChange.from, costChange.to].map((cost) =>
    cost === null ? 'unknown' : moneyText(cost),
  );
  return `${costOf(edit)} was changed from ${from} to ${to} in the 24 hours before that.`;
}

/** A bundle costs what its components do. */
function costOf({ costChange }: OpenEdit): string {
  const component = costChange?.component ?? null;
  return component === null ? 'Its product cost' : `The product cost of its component ${component}`;
}

function returned({ marketplace, count }: WatchedFigures['returned'][number]): CurrentAlert {
  const name = MARKETPLACE_NAMES[marketplace];
  const what = count === 1 ? '1 listing' : `${count.toLocaleString('en-US')} listings`;
  const message = `${name} went back to a former price of ${what} three times within a day. Check what else sets ${count === 1 ? 'its price' : 'their prices'}, then resume ${count === 1 ? 'it' : 'them'}.`;
  const link = `/listings?state=held&marketplace=${marketplace}`;
  return { kind: 'external_edit', subject: `${marketplace} returns`, message, link, size: count };
}

function unknown({ marketplace, count }: WatchedFigures['unknown'][number]): CurrentAlert {
  const message = `${pricesOf(count)} sent to ${MARKETPLACE_NAMES[marketplace]} ${count === 1 ? 'has' : 'have'} not been confirmed for an hour. Pricewright keeps checking.`;
  return { kind: 'unknown', subject: marketplace, message, link: '/history', size: count };
}

function refused({ marketplace, count }: WatchedFigures['refused'][number]): CurrentAlert {
  const message = `${MARKETPLACE_NAMES[marketplace]} rejected ${pricesOf(count)}.`;
  return { kind: 'refused', subject: marketplace, message, link: '/history', size: count };
}

function paused(
  { marketplace, count, until }: WatchedFigures['paused'][number],
  timeZone: string | null,
): CurrentAlert {
  const message = `${MARKETPLACE_NAMES[marketplace]} does not accept prices for ${count.toLocaleString('en-US')} listings right now. They are repriced after ${storeTimeText(until, timeZone)}.`;
  const link = `/listings?marketplace=${marketplace}`;
  return { kind: 'sending_paused', subject: marketplace, message, link, size: count };
}

function pricesOf(count: number): string {
  return count === 1 ? '1 price' : `${count.toLocaleString('en-US')} prices`;
}

function credentials({ marketplace, endsAt }: WatchedFigures['ending'][number], now: Instant): CurrentAlert {
  const days = Math.ceil((endsAt - now) / DAY);
  const when = days <= 0 ? 'has expired' : days === 1 ? 'expires within a day' : `expires in ${days} days`;
  const message = `The credential for ${MARKETPLACE_NAMES[marketplace]} ${when}. Renew it under Settings.`;
  const forUsers = `An administrator must renew the connection to ${MARKETPLACE_NAMES[marketplace]} soon.`;
  // A subject of its own for the last days: a new alert, with an email of its own.
  const subject = days <= LAST_DAYS ? `${marketplace} soon` : marketplace;
  return { kind: 'credentials', subject, message, forUsers, link: '/settings' };
}

const OFF_SENTENCES = {
  unsubscribed: 'The receiver unsubscribed (status 410).',
  failing: 'It accepted none for 3 days.',
  restored: 'The database was restored from a backup or copied.',
} as const satisfies Record<OffReason, string>;

function webhookReceiver(
  found: WatchedFigures['webhookReceivers'][number],
  timeZone: WatchedFigures['timeZone'],
): CurrentAlert {
  const { id, name, offReason, failingSince } = found;
  const late =
    failingSince === null
      ? `Webhooks to ${name} are more than an hour late: there are more than it accepts.`
      : `Webhooks to ${name} have not been delivered since ${storeTimeText(failingSince, timeZone)}. Pricewright retries automatically. After 3 days without a delivery the receiver is switched off.`;
  const message =
    offReason === null
      ? late
      : `Webhooks to ${name} were switched off. ${OFF_SENTENCES[offReason]} Events are not sent while it is off. Switch the receiver on under Settings, Webhooks.`;
  return { kind: 'webhook_receiver', subject: id, message, link: '/settings#webhooks' };
}

function unreturnedStock(found: WatchedFigures['unreturnedStock'][number]): CurrentAlert {
  const { listing, sku, sold } = found;
  const message =
    sold === null
      ? `Units of Etsy listing ${listing} may have been sold while its price was written, and the stock was not corrected. Check its quantity on Etsy.`
      : `${sku ?? 'A variation without SKU'} (Etsy listing ${listing}): ${sold} were sold while its price was written, and the stock could not be corrected. Reduce its quantity on Etsy by ${sold}.`;
  return { kind: 'connection', subject: 'etsy stock', message, link: '/listings?marketplace=etsy' };
}

function unlinkedPictures({ listing }: WatchedFigures['unlinkedPictures'][number]): CurrentAlert {
  const message = `Etsy unlinked the pictures of variations of listing ${listing} when its price was changed. Link them again on Etsy. For 30 days listings with such pictures get no prices from Pricewright.`;
  return { kind: 'connection', subject: 'etsy pictures', message, link: '/listings?marketplace=etsy' };
}

const ENDED_CALLS: Readonly<Record<EndedCall, string>> = {
  walmart_insights:
    "The key of Walmart has no right to pricing insights, which say whether Walmart's repricer or a promotion sets a price. Until it has, only prices that end a loss by a raise are sent. Grant the permission for insights in Walmart's developer portal, then test the connection.",
  walmart_single_prices:
    'Walmart no longer takes single prices. Manual prices and prices that end a loss go by price file, which takes Walmart some minutes longer. Pricewright tries single prices again once a day.',
};

function endedCall(name: EndedCall): CurrentAlert {
  return { kind: 'connection', subject: name, message: ENDED_CALLS[name], link: '/settings' };
}

function lostWithPrice(found: WatchedFigures['lostWithPrice'][number]): CurrentAlert {
  const { marketplace, sku, lost, isRestored } = found;
  const name = MARKETPLACE_NAMES[marketplace];
  const members = new Intl.ListFormat('en', { type: 'conjunction' }).format(lost);
  const now = isRestored
    ? 'It was written back, and prices are sent in another way from now on.'
    : 'It was not written back: enter it again there, unless you changed it yourself. Prices are sent in another way from now on.';
  const message = `${name} removed ${members} from the offer of ${sku} when its price was changed. ${now}`;
  return { kind: 'connection', subject: `${marketplace} offers`, message, link: '/settings' };
}

function refusedBusiness({
  marketplace,
  sku,
  refused: why,
}: WatchedFigures['refusedBusiness'][number]): CurrentAlert {
  const name = MARKETPLACE_NAMES[marketplace];
  const message = `${name} refused the business prices of ${sku} in a preview, so no business prices follow on ${name} for a day. ${sentence(why)}`;
  return { kind: 'business_price', subject: `${marketplace} refused`, message, link: '/settings' };
}

function feeBreaker({ marketplace, count }: WatchedFigures['feeBreakers'][number]): CurrentAlert {
  const name = MARKETPLACE_NAMES[marketplace];
  const what = `${name} reported different fees for ${count === 1 ? '1 listing' : `${count.toLocaleString('en-US')} listings`} within a day. Lower ones do not count yet, and prices with higher ones are only recommended.`;
  const message = `${what} Accept or reject them under Costs, Fees.`;
  const forUsers = `${what} An administrator must accept or reject them.`;
  return {
    kind: 'fee_breaker',
    subject: marketplace,
    message,
    forUsers,
    link: '/costs?tab=fees',
    size: count,
  };
}

function feeDrift(drift: WatchedFigures['feeDrifts'][number]): CurrentAlert {
  const { marketplace, told, scheduled, listings, belowMarginFloor, cost } = drift;
  const below =
    belowMarginFloor === 0
      ? ''
      : `, ${belowMarginFloor.toLocaleString('en-US')} of them below their margin floor`;
  const message = `${MARKETPLACE_NAMES[marketplace]} charges ${percentText(told)} where you price with ${percentText(scheduled)}: ${listings === 1 ? '1 listing' : `${listings.toLocaleString('en-US')} listings`}${below}${costText(cost)}.`;
  const link = `/listings?state=fee_differs&marketplace=${marketplace}`;
  return { kind: 'fee_drift', subject: `${marketplace} ${told} ${scheduled}`, message, link, size: listings };
}

function chargedFee(found: WatchedFigures['chargedFees'][number]): CurrentAlert {
  const { marketplace, count, sku, entered, charged } = found;
  const listings = count === 1 ? '1 listing' : `${count.toLocaleString('en-US')} listings`;
  const message = `${MARKETPLACE_NAMES[marketplace]} charges another FBA/WFS fee than you entered for ${listings}, such as ${sku}: ${moneyText(charged)} per unit, entered ${moneyText(entered)}. Yours counts until you change it.`;
  const link = `/listings?state=fee_differs&marketplace=${marketplace}`;
  return { kind: 'fee_drift', subject: `${marketplace} fulfillment`, message, link, size: count };
}

/** ", about $412 more in 30 days"; nothing below half a dollar. */
function costText(cost: Cents): string {
  const dollars = Math.round(Math.abs(cost) / 100);
  if (dollars === 0) return '';
  return `, about $${dollars.toLocaleString('en-US')} ${cost < 0 ? 'less' : 'more'} in 30 days`;
}

function hiddenClients({ areClientsHidden }: WatchedFigures): CurrentAlert[] {
  if (!areClientsHidden) return [];
  const message =
    'The proxy in front of Pricewright does not set X-Forwarded-For, so clients share one login attempt limit, or can choose the address that is limited and recorded. Configure it to set that header to the address of the client, and set TRUSTED_PROXIES to its address.';
  return [{ kind: 'hidden_clients', subject: 'proxy', message, link: '/settings' }];
}

function backups({ backup, isRestoreUnconfirmed, timeZone }: WatchedFigures, now: Instant): CurrentAlert[] {
  const alertOf = (subject: string, message: string): CurrentAlert[] => [
    { kind: 'backup', subject, message, link: '/settings#backups' },
  ];
  if (isRestoreUnconfirmed) {
    return alertOf(
      'restore',
      'This database was restored or copied. No backups are scheduled and no events of marketplaces are received until an administrator confirms under Settings, Backups that it replaces the original, or goes live.',
    );
  }
  if (backup === null) return [];
  const { problem, lastAt, since } = backup;
  const last =
    lastAt === null
      ? 'There is no backup yet.'
      : `The last one is of ${storeTimeText(lastAt, timeZone)}${lastAt > now ? ', by a clock that was ahead' : ''}.`;
  if (problem !== null) return alertOf('failed', `The backup failed. ${sentence(problem)} ${last}`);
  if (!isBackupOverdue(lastBackup(lastAt, since, now), now)) return [];
  return alertOf(
    'overdue',
    `No backup was made for more than two days. ${last} Check that Pricewright runs at the time of day set for backups, or make one under Settings, Backups.`,
  );
}

function lowered({ by, hour, count, largestDrop }: WatchedFigures['lowered'][number]): CurrentAlert {
  const which =
    count === 1 ? 'the lowest allowed price of 1 live listing' : `${pricesAllowed(count)} live listings`;
  const message = `${by ?? 'Pricewright'} lowered ${which} by up to ${largestDrop}%. The audit log has the prices before and after.`;
  const subject = `${new Date(hour).toISOString().slice(0, 13)} ${by ?? ''}`.trim().slice(0, 100);
  return { kind: 'lowered_floors', subject, message, link: '/audit?group=costs', size: count };
}

function pricesAllowed(count: number): string {
  return `the lowest allowed prices of ${count.toLocaleString('en-US')}`;
}

function belowFloor({ belowFloor: count }: WatchedFigures): CurrentAlert[] {
  if (count === 0) return [];
  const message =
    count === 1
      ? '1 listing is priced below its margin floor.'
      : `${count.toLocaleString('en-US')} listings are priced below their margin floor.`;
  const link = '/listings?state=below_floor';
  return [{ kind: 'below_floor', subject: 'all', message, link, size: count }];
}

function lowOffers({ lowBestOffers: count }: WatchedFigures): CurrentAlert[] {
  if (count === 0) return [];
  const listings = count === 1 ? '1 listing' : `${count.toLocaleString('en-US')} listings`;
  const message = `eBay accepts Best Offers for ${listings} below the lowest allowed price. Raise the price from which it accepts them there, or let Pricewright raise it: Settings, eBay, Best Offers.`;
  const link = '/listings?state=best_offer_low';
  return [{ kind: 'below_floor', subject: 'best offers', message, link, size: count }];
}

function businessPrices({
  lowBusinessPrices: low,
  hiddenBusinessPrices: hidden,
}: WatchedFigures): CurrentAlert[] {
  const alertOf = (subject: 'low' | 'hidden', size: number, message: string): CurrentAlert[] =>
    size === 0
      ? []
      : [
          {
            kind: 'business_price',
            subject,
            message,
            link: `/listings?state=business_price_${subject}`,
            size,
          },
        ];
  const listings = (count: number) =>
    count === 1 ? '1 listing has' : `${count.toLocaleString('en-US')} listings have`;
  return [
    ...alertOf(
      'low',
      low,
      `${listings(low)} a business or quantity price below the lowest allowed price. Raise them on the marketplace.`,
    ),
    ...alertOf(
      'hidden',
      hidden,
      `${listings(hidden)} a price below their business price, so buyers do not see the business price.`,
    ),
  ];
}

function idleRule({ id, name }: WatchedFigures['idleRules'][number]): CurrentAlert {
  const message = `Rule ${name} is active but no longer prices any listing.`;
  return { kind: 'rule_inactive', subject: `rule ${id}`, message, link: '/rules' };
}

/** "Walmart, Amazon and eBay" */
function listed(marketplaces: readonly Marketplace[]): string {
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(
    marketplaces.map((marketplace) => MARKETPLACE_NAMES[marketplace]),
  );
}

function sentence(text: string): string {
  const short = text.slice(0, MAX_QUOTE_LENGTH);
  return /[.!?]$/.test(short) ? short : `${short}.`;
}
