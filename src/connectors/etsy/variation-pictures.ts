import { z } from 'zod';
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
/** So many listings with linked pictures kept theirs: then no further one is compared. */
const ENOUGH_KEPT = 3;
/** So many listings with variations had no linked pictures: then none is looked for until the finding expires. */
const ENOUGH_WITHOUT = 20;
const LOOKED_FOR = hours(24 * 7);
/** Afterwards a price is tried again. */
const LOST_FOR = hours(24 * 30);

const Found = z.discriminatedUnion('is', [
  z.object({ is: z.literal('kept'), listings: z.int() }),
  z.object({ is: z.literal('none'), listings: z.int() }),
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
 * @returns "lost" where writes of this account lose them and the listing has some
 */
export async function linksBefore(
  sending: Sending,
  listingId: number,
  { products }: Inventory,
): Promise<LinksBefore | 'lost'> {
  const hasVariations = products.some((product) => product.property_values.length > 0);
  const { findings } = sending.account;
  if (!hasVariations || findings === undefined) return null;
  const found = Found.safeParse(await findings.read(FINDING)).data ?? null;
  if (found?.is === 'kept' && found.listings >= ENOUGH_KEPT) return null;
  if (found?.is === 'none' && found.listings >= ENOUGH_WITHOUT) return null;
  const links = await linksOf(sending, listingId);
  if (links === null) return null;
  if (found?.is === 'lost') return links.size > 0 ? 'lost' : null;
  if (links.size > 0) return links;
  // Nothing is learned of an account of which a listing kept its pictures.
  if (found?.is !== 'kept') {
    const without: Found = { is: 'none', listings: (found?.listings ?? 0) + 1 };
    await findings.write(FINDING, without, instant(sending.calls.now() + LOOKED_FOR));
  }
  return null;
}

/** Compares the pictures after a write, and keeps what it did to them. */
export async function compareLinks(sending: Sending, listingId: number, before: LinksBefore): Promise<void> {
  const { findings } = sending.account;
  if (before === null || findings === undefined) return;
  const after = await linksOf(sending, listingId);
  if (after === null) return;
  if ([...before].some((link) => !after.has(link))) {
    const lost: Found = { is: 'lost', unlinked: String(listingId) };
    return findings.write(FINDING, lost, instant(sending.calls.now() + LOST_FOR));
  }
  const found = Found.safeParse(await findings.read(FINDING)).data ?? null;
  const kept: Found = { is: 'kept', listings: (found?.is === 'kept' ? found.listings : 0) + 1 };
  await findings.write(FINDING, kept, null);
}

/** Null where Etsy does not say: a price does not wait for a precaution. */
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
