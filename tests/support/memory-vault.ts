import type { HeldTokens, TokenVault } from '#connectors/token-vault.ts';

/** Tokens of one account in memory, for one process. */
export function memoryVault(held: HeldTokens = {}): TokenVault {
  let tokens = held;
  let last: Promise<unknown> = Promise.resolve();
  return {
    read: async () => tokens,
    renew: (kind, seen, fetch) => {
      const next = last.then(async () => {
        if (tokens[kind]?.value === seen?.value) tokens = { ...tokens, ...(await fetch(tokens)) };
        return tokens;
      });
      last = next.catch(() => undefined);
      return next;
    },
  };
}
