import type { Db } from '#db/client.ts';

/**
 * The same database, on which `interleaved` runs once, right before the first statement that contains `words`
 * in a transaction: what others do between two statements of a batch.
 */
export function slowDatabase(real: Db, words: string, interleaved: () => Promise<void>): Db {
  let isPending = true;
  const watch = (target: Db): Db =>
    new Proxy(target, {
      get: (on, name) => {
        if (name === 'transaction') {
          return (work: (tx: Db) => Promise<unknown>) => on.transaction((tx) => work(watch(tx as Db)));
        }
        const member = Reflect.get(on, name);
        if (name !== 'execute') return typeof member === 'function' ? member.bind(on) : member;
        return async (query: Parameters<Db['execute']>[0]) => {
          if (isPending && JSON.stringify(query).includes(words)) {
            isPending = false;
            await interleaved();
          }
          return on.execute(query);
        };
      },
    });
  return watch(real);
}
