import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { auditLog } from '#db/schema/audit.ts';
import { MINUTE } from '#tests/support/engine-fixture.ts';
import { heartbeatFixture, UNTOUCHED } from '#tests/support/heartbeat-fixture.ts';
import { setLive } from '#tests/support/seed.ts';
import { asOwner } from '#tests/support/test-database.ts';
import { HeartbeatFile } from './heartbeat-file.ts';

/* What is not a restore. If every start switched to recommend only, users would soon go live without a review. */

const fixture = heartbeatFixture();

/** A data folder whose process is killed between two steps of a heartbeat. */
class CutOff extends HeartbeatFile {
  readonly #moment: 'before' | 'after';
  #isPrepared = false;

  constructor(folder: string, moment: 'before' | 'after') {
    super(folder);
    this.#moment = moment;
  }

  override async prepare(mark: Parameters<HeartbeatFile['prepare']>[0]): Promise<string> {
    const identity = await super.prepare(mark);
    this.#isPrepared = true;
    if (this.#moment === 'before') throw new Error('killed');
    return identity;
  }

  override async activate(known: Parameters<HeartbeatFile['activate']>[0]): Promise<void> {
    if (this.#isPrepared) throw new Error('killed');
    await super.activate(known);
  }
}

describe.each([
  ['with the database in the data folder', true],
  ['with a database elsewhere', false],
])('%s', (_, isInFolder) => {
  test('stops, kills and starts in any order change nothing, whatever PostgreSQL does to its files', async () => {
    await fixture.seedShop();
    await fixture.started({ isInFolder }).check(fixture.shop.db);
    expect(await fixture.numbers()).toEqual([]);
    for (let start = 0; start < 5; start++) {
      const heartbeat = fixture.started({ isInFolder });
      await heartbeat.check(fixture.shop.db);
      await heartbeat.beat(fixture.shop.db);
      for (let minute = 0; minute < 3; minute++) {
        fixture.shop.advance(MINUTE);
        await heartbeat.keep(fixture.shop.db);
      }
      const kind = start % 2 === 0 ? 'FULL' : 'FREEZE';
      await asOwner(fixture.shop.db, `VACUUM ${kind} installation`);
    }
    expect(await fixture.numbers()).toEqual([20]);
    expect(await fixture.state()).toEqual(UNTOUCHED);
    expect(fixture.found).toEqual([]);
    expect(await fixture.shop.db.$count(auditLog)).toBe(0);
  });

  test('many processes that check at once while one is the engine change nothing', async () => {
    await fixture.seedShop();
    const engine = fixture.started({ isInFolder });
    await engine.beat(fixture.shop.db);
    const others = Array.from({ length: 6 }, () => fixture.started({ isInFolder }));
    await Promise.all([
      ...others.flatMap((other) => [other.check(fixture.shop.db), other.check(fixture.shop.db)]),
      ...Array.from({ length: 8 }, () => engine.beat(fixture.shop.db)),
    ]);
    await fixture.started({ isInFolder }).beat(fixture.shop.db);
    expect(await fixture.numbers()).toEqual([10]);
    expect(await fixture.state()).toEqual(UNTOUCHED);
  });
});

describe('with the database in the data folder', () => {
  test.each(['before', 'after'] as const)(
    'a kill between the two halves of a heartbeat, %s the database knows of it, is no restore',
    async (moment) => {
      await fixture.seedShop();
      for (let round = 0; round < 3; round++) {
        await fixture.started().beat(fixture.shop.db);
        const file = new CutOff(fixture.folder, moment);
        await expect(fixture.started({ file }).beat(fixture.shop.db)).rejects.toThrow('killed');
        await fixture.started().check(fixture.shop.db);
      }
      await fixture.started().beat(fixture.shop.db);
      expect(fixture.found).toEqual([]);
      expect(await fixture.state()).toEqual(UNTOUCHED);
    },
  );

  test('a folder that was moved, and given to another user, is the same', async () => {
    await setLive(fixture.shop.db, 'etsy');
    await fixture.started().beat(fixture.shop.db);
    const here = join(fixture.folder, 'moved');
    fixture.shell(
      'mkdir moved && mv installation.mark moved && chmod -R u+rwX moved && chown -R $(id -u) moved && touch moved/*',
    );
    await fixture.started({ file: new HeartbeatFile(here) }).check(fixture.shop.db);
    expect(fixture.found).toEqual([]);
    expect(await fixture.state()).toMatchObject({ live: ['etsy'] });
  });

  test('a folder that cannot be written to stops the engine, and one that cannot be read any process', async () => {
    await fixture.started().beat(fixture.shop.db);
    await rm(fixture.folder, { recursive: true });
    await writeFile(fixture.folder, 'a file');
    await expect(fixture.started().check(fixture.shop.db)).rejects.toThrow('ENOTDIR');
    await expect(fixture.started().beat(fixture.shop.db)).rejects.toThrow('ENOTDIR');
    await rm(fixture.folder);
  });
});

describe('with a database elsewhere', () => {
  test('containers without a volume, several hosts and a read-only folder are no restore', async () => {
    await setLive(fixture.shop.db, 'etsy');
    const hosts = ['one', 'two'].map((name) => new HeartbeatFile(join(fixture.folder, name)));
    for (let round = 0; round < 3; round++) {
      for (const file of hosts) {
        await fixture.started({ isInFolder: false, file }).check(fixture.shop.db);
        await fixture.started({ isInFolder: false, file }).beat(fixture.shop.db);
      }
      await rm(join(fixture.folder, 'two'), { recursive: true });
    }
    await writeFile(join(fixture.folder, 'file'), '');
    const nowhere = fixture.started({
      isInFolder: false,
      file: new HeartbeatFile(join(fixture.folder, 'file')),
    });
    await nowhere.check(fixture.shop.db);
    await nowhere.beat(fixture.shop.db);
    expect(fixture.folderErrors).not.toEqual([]);
    expect(fixture.found).toEqual([]);
    expect(await fixture.state()).toMatchObject({ live: ['etsy'] });
    expect(await fixture.numbers()).toEqual([7]);
  });

  test('a folder that served another database says nothing, however far that is', async () => {
    await setLive(fixture.shop.db, 'etsy');
    await writeFile(join(fixture.folder, 'installation.mark'), 'other 900\n');
    await fixture.started({ isInFolder: false }).beat(fixture.shop.db);
    await fixture.started({ isInFolder: false }).check(fixture.shop.db);
    expect(fixture.found).toEqual([]);
    await writeFile(join(fixture.folder, 'installation.mark'), 'half writ');
    await fixture.started({ isInFolder: false }).check(fixture.shop.db);
    expect(fixture.found).toEqual([]);
  });
});
