import { beforeEach, describe, expect, test } from 'vitest';
import { ConnectorError } from '#connectors/connector-error.ts';
import type { HeldTokens } from '#connectors/token-vault.ts';
import { type Instant, instant } from '#domain/units.ts';
import { memoryVault } from '#tests/support/memory-vault.ts';
import { withAccessToken } from './access-token.ts';

let time: Instant;
let fetched: number;
beforeEach(() => {
  time = instant(1_000_000);
  fetched = 0;
});

const LIFE = 100_000;
const refused = new ConnectorError('key', 'The key is refused.', { status: 401 });

function sourceOf(tokens = memoryVault()) {
  const fetch = async (): Promise<HeldTokens> => {
    fetched += 1;
    return { access: { value: `token-${fetched}`, obtainedAt: time, expiresAt: instant(time + LIFE) } };
  };
  return { name: 'Shop', tokens, now: () => time, fetch };
}

describe('an access token', () => {
  test('is fetched once and used until four fifths of its lifetime have passed', async () => {
    const source = sourceOf();
    const call = async (token: string) => token;
    expect(await withAccessToken(source, call)).toBe('token-1');
    time = instant(time + LIFE * 0.79);
    expect(await withAccessToken(source, call)).toBe('token-1');
    time = instant(time + LIFE * 0.02);
    expect(await withAccessToken(source, call)).toBe('token-2');
    expect(fetched).toBe(2);
  });

  test('is fetched once for many concurrent calls', async () => {
    const source = sourceOf();
    const used = await Promise.all(Array.from({ length: 20 }, () => withAccessToken(source, async (t) => t)));
    expect(new Set(used)).toEqual(new Set(['token-1']));
  });

  test('that is refused is replaced once, and the call repeated', async () => {
    const used: string[] = [];
    const answer = await withAccessToken(sourceOf(), async (token) => {
      used.push(token);
      if (used.length === 1) throw refused;
      return 'fine';
    });
    expect(answer).toBe('fine');
    expect(used).toEqual(['token-1', 'token-2']);
  });

  test('refused again ends the call: tokens are not fetched in an endless loop', async () => {
    await expect(
      withAccessToken(sourceOf(), async () => {
        throw refused;
      }),
    ).rejects.toBe(refused);
    expect(fetched).toBe(2);
  });

  test('another failure of the call fetches no token', async () => {
    const busy = new ConnectorError('busy', 'Too much.', { status: 429 });
    await expect(
      withAccessToken(sourceOf(), async () => {
        throw busy;
      }),
    ).rejects.toBe(busy);
    expect(fetched).toBe(1);
  });

  test('of another kind is kept in addition to it', async () => {
    const source = sourceOf();
    await withAccessToken(source, async () => undefined);
    const application = {
      ...source,
      kind: 'application',
      fetch: async (): Promise<HeldTokens> => ({
        application: { value: 'token-a', obtainedAt: time, expiresAt: null },
      }),
    };
    expect(await withAccessToken(application, async (token) => token)).toBe('token-a');
    expect(await withAccessToken(source, async (token) => token)).toBe('token-1');
  });

  test('from a clock that was set back is not kept', async () => {
    const source = sourceOf();
    await withAccessToken(source, async () => undefined);
    time = instant(time - 50_000);
    expect(await withAccessToken(source, async (token) => token)).toBe('token-2');
  });
});
