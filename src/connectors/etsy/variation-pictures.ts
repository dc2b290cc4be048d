import { z } from 'zod';
import type { AccountFindings } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { parseResponse } from '#connectors/parse-response.ts';
import { hours, instant } from '#domain/units.ts';
import { NAME } from './etsy-calls.ts';
import type { Inventory } from './etsy-responses.ts';
import { requireShopId, type Sending } from './inventory-calls.ts';

/*
 * A write of an inventory has unlinked the pictures of variations (https://github.com/etsy/open-api/issues/200). Whether it
 * does so for this account is compared around the first writes: once it did, listings with such pictures get no price.
 */

/** What was found of an account. */
const FINDING = 'etsy_pictures';
/** So many different listings with linked pictures kept theirs: then no further one is compared for a while. */
const ENOUGH_KEPT = 3;
/** So many different listings with variations had no linked pictures: then none is looked for for a while. */
const ENOUGH_WITHOUT = 20;
const LOOKED_FOR = hours(24 * 7);
/** Afterwards a price is tried again. */
const LOST_FOR = hours(24 * 30);

const Numbers = z.array(z.int().positive()).max(ENOUGH_WITHOUT);
const Found = z.discriminatedUnion('is', [
  /** Etsy's numbers of listings whose pictures stayed, and of those that had none. */
  z.object({ is: z.literal('seen'), kept: Numbers, without: Numbers }),
  /** Etsy's number of the listing that lost them. */
  z.object({ is: z.literal('lost'), unlinked: z.string() }),
]);
type Found = z.output<typeof Found>;

const LinkedPictures = z.object({
  results: z.array(
    z.object({
      property_id: z.int().positive(),
      value_id: z.int().positive(),
      image_id: z.int().positive(),
    }),
  ),
});

/** The links of a listing before a write, as texts; null where they are not compared. */
export type LinksBefore = ReadonlySet<string> | null;

/** Why a price is not sent to a listing whose variations have pictures of their own. */
export const UNLINKS_PICTURES =
  'Etsy unlinked the pictures of variations when a price was changed, so listings with such pictures get no prices from Pricewright.';

/**
 * The pictures that are linked to the variations of a listing, where a write may lose them.
 * @returns "lost" where writes of this account lose them and the listing has some, "unread" where it may have some
 */
export async function linksBefore(
  sending: Sending,
  listingId: number,
  { products }: Inventory,
): Promise<LinksBefore | 'lost' | 'unread'> {
  const hasVariations = products.some((product) => product.property_values.length > 0);
  const { findings } = sending.account;
  if (!hasVariations || findings === undefined) return null;
  const found = await readFound(findings);
  if (found.is === 'seen' && (found.kept.length >= ENOUGH_KEPT || found.without.length >= ENOUGH_WITHOUT)) {
    return null;
  }
  const links = await linksOf(sending, listingId);
  if (found.is === 'lost') {
    if (links === null) return 'unread';
    return links.size > 0 ? 'lost' : null;
  }
  if (links === null || links.size > 0) return links;
  if (!found.without.includes(listingId)) {
    await keep(sending, { ...found, without: [...found.without, listingId] });
  }
  return null;
}

async function readFound(findings: AccountFindings): Promise<Found> {
  return Found.safeParse(await findings.read(FINDING)).data ?? { is: 'seen', kept: [], without: [] };
}

async function keep({ calls, account }: Sending, found: Found): Promise<void> {
  const time = found.is === 'lost' ? LOST_FOR : LOOKED_FOR;
  await account.findings?.write(FINDING, found, instant(calls.now() + time));
}

/** Compares the pictures after a write, and keeps what it did to them. */
export async function compareLinks(sending: Sending, listingId: number, before: LinksBefore): Promise<void> {
  const { findings } = sending.account;
  if (before === null || findings === undefined) return;
  const after = await linksOf(sending, listingId);
  if (after === null) return;
  if ([...before].some((link) => !after.has(link))) {
    return keep(sending, { is: 'lost', unlinked: String(listingId) });
  }
  const found = await readFound(findings);
  if (found.is === 'seen' && !found.kept.includes(listingId)) {
    await keep(sending, { ...found, kept: [...found.kept, listingId] });
  }
}

/** Null where Etsy does not say: before any were lost, a price does not wait for a precaution. */
async function linksOf(sending: Sending, listingId: number): Promise<ReadonlySet<string> | null> {
  const { calls, account, signal } = sending;
  try {
    const path = `/v3/application/shops/${await requireShopId(sending)}/listings/${listingId}/variation-images`;
    const answer = await calls.call(account, { method: 'GET', path, operation: 'items' }, signal);
    const { results } = parseResponse(NAME, LinkedPictures, answer, 'list of linked pictures');
    return new Set(
      results.map(({ property_id, value_id, image_id }) => `${property_id} ${value_id} ${image_id}`),
    );
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    return null;
  }
}
