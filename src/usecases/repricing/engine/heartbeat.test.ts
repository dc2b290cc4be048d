import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { auditLog } from '#db/schema/audit.ts';
import { MINUTE } from '#tests/support/engine-fixture.ts';
import { heartbeatRig, UNTOUCHED } from '#tests/support/heartbeat-fixture.ts';
import { arm } from '#tests/support/seed.ts';
import { asOwner } from '#tests/support/test-database.ts';
import { HeartbeatFile } from './heartbeat-file.ts';

/* What is no restore. A shop that was disarmed by each start would soon be one that is armed without a look. */

const rig = heartbeatRig();

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

  override async putInForce(known: Parameters<HeartbeatFile['putInForce']>[0]): Promise<void> {
    if (this.#isPrepared) throw new Error('killed');
    await super.putInForce(known);
  }
}

describe.each([
  ['with the database in the data folder', true],
  ['with a database elsewhere', false],
])('%s', (_, isInFolder) => {
  test('stops, kills and starts in any order change nothing, whatever PostgreSQL does to its files', async () => {
    await rig.seedShop();
    await rig.started({ isInFolder }).check(rig.shop.db);
    expect(await rig.numbers()).toEqual([]);
    for (let start = 0; start < 5; start++) {
      const heartbeat = rig.started({ isInFolder });
      await heartbeat.check(rig.shop.db);
      await heartbeat.beat(rig.shop.db);
      for (let minute = 0; minute < 3; minute++) {
        rig.shop.advance(MINUTE);
        await heartbeat.keep(rig.shop.db);
      }
      const kind = start % 2 === 0 ? 'FULL' : 'FREEZE';
      await asOwner(rig.shop.db, `VACUUM ${kind} installation`);
    }
    expect(await rig.numbers()).toEqual([20]);
    expect(await rig.standing()).toEqual(UNTOUCHED);
    expect(rig.found).toEqual([]);
    expect(await rig.shop.db.$count(auditLog)).toBe(0);
  });

  test('many processes that look at once while one is the engine change nothing', async () => {
    await rig.seedShop();
    const engine = rig.started({ isInFolder });
    await engine.beat(rig.shop.db);
    const others = Array.from({ length: 6 }, () => rig.started({ isInFolder }));
    await Promise.all([
      ...others.flatMap((other) => [other.check(rig.shop.db), other.check(rig.shop.db)]),
      ...Array.from({ length: 8 }, () => engine.beat(rig.shop.db)),
    ]);
    await rig.started({ isInFolder }).beat(rig.shop.db);
    expect(await rig.numbers()).toEqual([10]);
    expect(await rig.standing()).toEqual(UNTOUCHED);
  });
});

describe('with the database in the data folder', () => {
  test.each(['before', 'after'] as const)(
    'a kill between the two halves of a heartbeat, %s the database knows of it, is no restore',
    async (moment) => {
      await rig.seedShop();
      for (let round = 0; round < 3; round++) {
        await rig.started().beat(rig.shop.db);
        const file = new CutOff(rig.folder, moment);
        await expect(rig.started({ file }).beat(rig.shop.db)).rejects.toThrow('killed');
        await rig.started().check(rig.shop.db);
      }
      await rig.started().beat(rig.shop.db);
      expect(rig.found).toEqual([]);
      expect(await rig.standing()).toEqual(UNTOUCHED);
    },
  );

  test('a folder that was moved, and given to another user, is the same', async () => {
    await arm(rig.shop.db, 'etsy');
    await rig.started().beat(rig.shop.db);
    const here = join(rig.folder, 'moved');
    rig.shell(
      'mkdir moved && mv installation.mark moved && chmod -R u+rwX moved && chown -R $(id -u) moved && touch moved/*',
    );
    await rig.started({ file: new HeartbeatFile(here) }).check(rig.shop.db);
    expect(rig.found).toEqual([]);
    expect(await rig.standing()).toMatchObject({ armed: ['etsy'] });
  });

  test('a folder that cannot be written to stops the engine, and one that cannot be read any process', async () => {
    await rig.started().beat(rig.shop.db);
    await rm(rig.folder, { recursive: true });
    await writeFile(rig.folder, 'a file');
    await expect(rig.started().check(rig.shop.db)).rejects.toThrow('ENOTDIR');
    await expect(rig.started().beat(rig.shop.db)).rejects.toThrow('ENOTDIR');
    await rm(rig.folder);
  });
});

describe('with a database elsewhere', () => {
  test('containers without a volume, several hosts and a folder that nobody may write to are no restore', async () => {
    await arm(rig.shop.db, 'etsy');
    const hosts = ['one', 'two'].map((name) => new HeartbeatFile(join(rig.folder, name)));
    for (let round = 0; round < 3; round++) {
      for (const file of hosts) {
        await rig.started({ isInFolder: false, file }).check(rig.shop.db);
        await rig.started({ isInFolder: false, file }).beat(rig.shop.db);
      }
      await rm(join(rig.folder, 'two'), { recursive: true });
    }
    await writeFile(join(rig.folder, 'file'), '');
    const nowhere = rig.started({ isInFolder: false, file: new HeartbeatFile(join(rig.folder, 'file')) });
    await nowhere.check(rig.shop.db);
    await nowhere.beat(rig.shop.db);
    expect(rig.folderTroubles).not.toEqual([]);
    expect(rig.found).toEqual([]);
    expect(await rig.standing()).toMatchObject({ armed: ['etsy'] });
    expect(await rig.numbers()).toEqual([7]);
  });

  test('a folder that served another database says nothing, however far that is', async () => {
    await arm(rig.shop.db, 'etsy');
    await writeFile(join(rig.folder, 'installation.mark'), 'other 900\n');
    await rig.started({ isInFolder: false }).beat(rig.shop.db);
    await rig.started({ isInFolder: false }).check(rig.shop.db);
    expect(rig.found).toEqual([]);
    await writeFile(join(rig.folder, 'installation.mark'), 'half writ');
    await rig.started({ isInFolder: false }).check(rig.shop.db);
    expect(rig.found).toEqual([]);
  });
});
