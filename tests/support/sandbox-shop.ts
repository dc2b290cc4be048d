import type { Marketplace } from '#domain/marketplaces.ts';
import { cents, instant } from '#domain/units.ts';
import { type Sandbox, startSandbox } from '#sandbox/server.ts';
import type { WorldPlan } from '#sandbox/world/catalog.ts';
import { sampleWorld } from '#sandbox/world/sample-world.ts';
import { createWorld } from '#sandbox/world/world.ts';
import { MILD_QUIRKS } from './mild-quirks.ts';

const DAY = 86_400_000;

/**
 * A sandbox with a sample shop that has been selling for ten days.
 * @param quirks what its marketplaces do besides answering; `{}` is nothing
 */
export async function openSandboxShop(
  quirks: NonNullable<WorldPlan['quirks']> = MILD_QUIRKS,
): Promise<Sandbox> {
  const startsAt = instant(Date.parse('2026-03-02T08:00:00Z'));
  const world = createWorld({ ...sampleWorld('contracts', startsAt), quirks });
  world.advance(instant(startsAt + 10 * DAY));
  world.market('walmart').edit('PW-002', { isActive: false });
  world.market('amazon').edit('PW-002', { quantity: 0, price: cents(1_234) });
  return startSandbox({ world, port: 0 });
}

/** Calls one adapter of a sandbox: with headers of its own, and JSON, a form or nothing as a body. */
export function callerOf(address: string, headers: Readonly<Record<string, string>> = {}) {
  return async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const isForm = body instanceof URLSearchParams;
    const answer = await fetch(`${address}${path}`, {
      method,
      headers: {
        ...headers,
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  };
}

/** Lets so many milliseconds pass in the world. */
export function pass({ world }: Sandbox, milliseconds: number): void {
  world.advance(instant(world.now() + milliseconds));
}

/** Makes a call while the account lacks the right to read what the marketplace booked. */
export async function withoutMoneyRight(
  { world }: Sandbox,
  marketplace: Marketplace,
  call: () => Promise<unknown>,
): Promise<void> {
  world.market(marketplace).grantMoneyRight(false);
  await call();
  world.market(marketplace).grantMoneyRight(true);
}
