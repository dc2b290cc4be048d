import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import type { Db } from '#db/client.ts';
import type { IntentState } from '#db/schema/prices.ts';
import { groupBy } from '#domain/group-by.ts';
import { type Cents, hours } from '#domain/units.ts';
import type { Sandbox } from '#sandbox/server.ts';

/** Writes down every state that a price takes, in its order: the product keeps only the last one. */
export const INTENT_STEPS = `
  CREATE TABLE intent_steps (id bigint GENERATED ALWAYS AS IDENTITY, intent_id bigint NOT NULL, state text NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp());
  GRANT SELECT ON intent_steps TO PUBLIC;
  CREATE FUNCTION note_intent_step() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS
    'BEGIN INSERT INTO intent_steps (intent_id, state) VALUES (NEW.id, NEW.state); RETURN NULL; END';
  CREATE TRIGGER intent_step AFTER INSERT OR UPDATE OF state ON price_intents
    FOR EACH ROW EXECUTE FUNCTION note_intent_step();`;

/** From the decision on; as the product promises it. */
const LIFE = hours(1 / 6);
/** From the mark to the call, as the product promises it. */
const LEAVES_WITHIN = 20_000;
/** Time in flight, and until this process receives it. */
const ON_THE_WAY = 5_000;
/** States that settle the result of a price. */
const ANSWERED: ReadonlySet<IntentState> = new Set(['accepted', 'confirmed', 'rejected']);

interface Step extends Record<string, unknown> {
  readonly number: number;
  readonly intentId: number;
  readonly sku: string;
  readonly price: Cents;
  readonly state: IntentState;
  readonly at: number;
}

/** A received price, with the mark that it was sent under. */
interface ReceivedPrice {
  readonly sku: string;
  readonly price: Cents;
  readonly at: number;
  readonly mark: Step;
}

/** Compares what was sent with what the simulated Amazon received. */
export class SentLog {
  readonly #db: Db;
  readonly #sandbox: Sandbox;
  #lastExchange = 0;
  /** When what buyers see was read, by SKU. */
  readonly #looks = new Map<string, number[]>();

  constructor(db: Db, sandbox: Sandbox) {
    this.#db = db;
    this.#sandbox = sandbox;
  }

  /**
   * How many prices were received so far. Call it often: the sandbox keeps its last 5,000 exchanges.
   * @throws Error when some are lost
   */
  received(): number {
    const { exchanges, world } = this.#sandbox;
    for (const { number, at, operation, path } of exchanges.list()) {
      if (number !== ++this.#lastExchange) throw new Error('Exchanges were forgotten before they were seen.');
      // What is read before sending does not ask for issues.
      const [, sku] = /\/([^/?]+)\?.*issues/.exec(path) ?? [];
      if (operation !== 'getListingsItem' || sku === undefined) continue;
      this.#looks.set(sku, [...(this.#looks.get(sku) ?? []), Date.parse(at)]);
    }
    exchanges.clear();
    return world.receivedPrices().length;
  }

  /**
   * Each price was received at most once, after its mark and within the time for a call, within its lifetime, and
   * after a read-back of the listing if the result of an earlier one was unknown.
   */
  async expectSentWell(): Promise<void> {
    this.received();
    const steps = await this.#steps();
    const received = this.#withMarks(steps);
    const ids = received.map(({ mark }) => mark.intentId);
    expect(ids).toHaveLength(new Set(ids).size);
    // The first step of each: one that was requeued keeps its age.
    const decidedAt = new Map(steps.toReversed().map(({ intentId, at }) => [intentId, at]));
    const late = received.filter(
      ({ at, mark }) => at - (decidedAt.get(mark.intentId) ?? 0) > LIFE + ON_THE_WAY,
    );
    expect(late).toEqual([]);
    const before = new Map<string, ReceivedPrice>();
    const blind = received.filter((one) => {
      const last = before.get(one.sku);
      before.set(one.sku, one);
      return last !== undefined && !isAnswered(last, one, steps) && !this.#isReadBack(last, one);
    });
    expect(blind).toEqual([]);
  }

  /** Each with its own mark; a price that should not have been sent has none. */
  #withMarks(steps: readonly Step[]): ReceivedPrice[] {
    const marks = steps.filter(({ state }) => state === 'sent');
    const free = new Set(marks);
    const bySku = groupBy(marks, ({ sku }) => sku);
    return this.#sandbox.world.receivedPrices().map(({ sku, price, at }) => {
      const mark = bySku.get(sku)?.find((one) => {
        const took = at - one.at;
        return free.has(one) && one.price === price && took >= 0 && took < LEAVES_WITHIN + ON_THE_WAY;
      });
      if (mark === undefined)
        throw new Error(`No process marked ${price} for ${sku} before ${new Date(at).toISOString()}.`);
      free.delete(mark);
      return { sku, price, at, mark };
    });
  }

  #isReadBack({ sku, at: from }: ReceivedPrice, { at: to }: ReceivedPrice): boolean {
    return (this.#looks.get(sku) ?? []).some((look) => look > from && look < to);
  }

  async #steps(): Promise<Step[]> {
    const { rows } = await this.#db.execute<Step>(sql`
      SELECT s.id::float8 AS number, s.intent_id::float8 AS "intentId", l.sku, (i.price * 100)::float8 AS price, s.state,
        (extract(epoch FROM s.at) * 1000)::float8 AS at
      FROM intent_steps s JOIN price_intents i ON i.id = s.intent_id JOIN listings l ON l.id = i.listing_id
      ORDER BY s.id`);
    return rows;
  }
}

/** Whether the result of a price was known before the next one of its listing was marked. */
function isAnswered({ mark }: ReceivedPrice, { mark: next }: ReceivedPrice, steps: readonly Step[]): boolean {
  return steps.some(
    ({ intentId, number, state }) =>
      intentId === mark.intentId && ANSWERED.has(state) && number < next.number,
  );
}
