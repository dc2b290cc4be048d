import type { Marketplace } from '#domain/marketplaces.ts';
import { NumberColumn } from './columns.ts';
import { OfferRecords, RECORD_BYTES } from './offer-codec.ts';
import type { HeldOffer } from './offer-record.ts';
import { ScratchFile } from './scratch-file.ts';

/** SKUs whose offers share one partition. Numbers follow the SKUs file, so neighbours stay together. */
const SKUS_PER_PARTITION = 65_536;
/** Offers that wait in memory for each partition. */
const WAITING = 512;
/** Offers that are sorted at once by default: 24 MB. */
const SORTED_AT_ONCE = 524_288;
/** Offers that are read at once. */
const WINDOW = 1_024;

interface Partition {
  readonly file: ScratchFile;
  readonly waiting: OfferRecords;
  waitingCount: number;
}

/**
 * Offers in temporary files, for more of them than should be in memory: first in partitions by SKU, then, once
 * sealed, in one file in the order of the SKUs. Memory holds eight bytes for each SKU.
 */
export class OfferSpill {
  readonly #partitions: (Partition | undefined)[] = [];
  readonly #sorted = new ScratchFile();
  readonly #first = new NumberColumn();
  readonly #counts = new NumberColumn();
  readonly #window = new OfferRecords(WINDOW);
  readonly #sortedAtOnce: number;
  #windowStart = 0;
  #windowCount = 0;
  #sortedCount = 0;

  /** @param sortedAtOnce offers in memory while they are sorted */
  constructor(sortedAtOnce: number = SORTED_AT_ONCE) {
    this.#sortedAtOnce = sortedAtOnce;
  }

  add(offer: HeldOffer): void {
    const partition = this.#partitionOf(offer.sku);
    partition.waiting.write(partition.waitingCount++, offer);
    if (partition.waitingCount === WAITING) flush(partition);
    this.#counts.set(offer.sku, this.#counts.get(offer.sku) + 1);
  }

  /** Call it once after the last offer and before the first question. */
  seal(): void {
    const batch = new OfferRecords(this.#sortedAtOnce);
    for (const [index, partition] of this.#partitions.entries()) {
      if (partition === undefined) continue;
      flush(partition);
      const end = (index + 1) * SKUS_PER_PARTITION;
      for (let sku = index * SKUS_PER_PARTITION; sku < end; )
        sku = this.#sortFrom(sku, end, partition.file, batch);
      partition.file.close();
    }
    this.#partitions.length = 0;
  }

  /** The offers for a SKU on a marketplace, in the order they were added. */
  offersOf(marketplace: Marketplace, sku: number): HeldOffer[] {
    const offers: HeldOffer[] = [];
    const first = this.#first.get(sku);
    const end = first + this.#counts.get(sku);
    for (let place = first; place < end; place++) {
      if (place < this.#windowStart || place >= this.#windowStart + this.#windowCount)
        this.#moveWindow(place);
      const offer = this.#window.read(place - this.#windowStart);
      if (offer.marketplace === marketplace) offers.push(offer);
    }
    return offers;
  }

  close(): void {
    for (const partition of this.#partitions) partition?.file.close();
    this.#sorted.close();
  }

  /**
   * Sorts the offers of as many SKUs, from `sku` on, as fit into the batch.
   * @returns the SKU to go on with
   */
  #sortFrom(sku: number, end: number, file: ScratchFile, batch: OfferRecords): number {
    let count = 0;
    let stop = sku;
    while (stop < end && (count === 0 || count + this.#counts.get(stop) <= batch.capacity)) {
      this.#first.set(stop, this.#sortedCount + count);
      count += this.#counts.get(stop++);
    }
    if (count === 0) return stop;
    // One SKU alone may have more offers than the batch holds: then it gets one of its own size.
    const target = count <= batch.capacity ? batch : new OfferRecords(count);
    const filled = new Uint32Array(stop - sku);
    this.#eachRecord(file, (records, index) => {
      const owner = records.skuAt(index);
      if (owner < sku || owner >= stop) return;
      const place = this.#first.get(owner) - this.#sortedCount + (filled[owner - sku] as number);
      filled[owner - sku] = (filled[owner - sku] as number) + 1;
      target.copy(place, records, index);
    });
    this.#sorted.append(target.bytes.subarray(0, count * RECORD_BYTES));
    this.#sortedCount += count;
    return stop;
  }

  #eachRecord(file: ScratchFile, onRecord: (records: OfferRecords, index: number) => void): void {
    const records = this.#window;
    for (let place = 0; place < file.length; place += records.bytes.length) {
      const count = file.read(records.bytes, place) / RECORD_BYTES;
      for (let index = 0; index < count; index++) onRecord(records, index);
    }
  }

  #moveWindow(place: number): void {
    this.#windowStart = place;
    this.#windowCount = this.#sorted.read(this.#window.bytes, place * RECORD_BYTES) / RECORD_BYTES;
  }

  #partitionOf(sku: number): Partition {
    const index = Math.floor(sku / SKUS_PER_PARTITION);
    const known = this.#partitions[index];
    if (known !== undefined) return known;
    while (this.#partitions.length < index) this.#partitions.push(undefined);
    const partition: Partition = {
      file: new ScratchFile(),
      waiting: new OfferRecords(WAITING),
      waitingCount: 0,
    };
    this.#partitions[index] = partition;
    return partition;
  }
}

function flush(partition: Partition): void {
  partition.file.append(partition.waiting.bytes.subarray(0, partition.waitingCount * RECORD_BYTES));
  partition.waitingCount = 0;
}
