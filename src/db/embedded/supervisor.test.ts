import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { joinEmbeddedPostgres } from '#db/embedded/supervisor.ts';
import {
  ask,
  type DataFolder,
  killServer,
  newDataFolder,
  newFilledFolder,
  serverPid,
} from '#tests/support/embedded-folder.ts';
import { startMember } from '#tests/support/test-processes.ts';

/** These tests kill processes, but do not cut the power, so nothing needs to be flushed to the disk. */
const notDurable = { durable: false };

let data: DataFolder;

describe('a fresh folder', () => {
  beforeEach(async () => {
    data = await newDataFolder();
  });
  afterEach(() => data.remove());

  test('becomes a durable, private server with a database of its own', async () => {
    const member = await joinEmbeddedPostgres({ dataDir: data.path });
    const client = new Client({ connectionString: member.ownerUrl });
    await client.connect();
    const { rows } = await client.query(`SELECT current_user AS role, current_database() AS database,
    current_setting('is_superuser') AS superuser, current_setting('fsync') AS fsync,
    current_setting('synchronous_commit') AS flush, current_setting('data_checksums') AS checksums,
    current_setting('listen_addresses') AS tcp, current_setting('server_version_num')::int / 10000 AS major,
    (SELECT array_agg(word ORDER BY word) FROM unnest('{b,B,ä,a,_}'::text[]) word) AS sorted, upper('ä') AS upper`);
    expect(rows[0]).toEqual({
      role: 'pricewright',
      database: 'pricewright',
      superuser: 'off',
      fsync: 'on',
      flush: 'on',
      checksums: 'on',
      tcp: '',
      major: 18,
      sorted: ['B', '_', 'a', 'b', 'ä'],
      upper: 'Ä',
    });
    await client.query('CREATE EXTENSION pg_trgm');
    await client.end();
    for (const folder of ['.', 'cluster', 'run', 'logs']) {
      expect((await stat(join(data.path, 'postgres', folder))).mode & 0o777).toBe(0o700);
    }
    await member.leave();
  });

  test('joined by two processes at once gets one server, and the last to leave stops it', async () => {
    const [one, two] = await Promise.all([startMember(data.path), startMember(data.path)]);

    expect(one.ownerUrl).toBe(two.ownerUrl);
    const members = `SELECT array_agg(application_name ORDER BY application_name) FROM pg_stat_activity
    WHERE application_name LIKE 'pricewright:%'`;
    expect(await ask(one.ownerUrl, members)).toEqual(
      [`pricewright:${one.pid}`, `pricewright:${two.pid}`].sort(),
    );
    const server = await serverPid(data.cluster);
    expect(server).not.toBeNull();

    await one.leave();
    expect(await serverPid(data.cluster)).toBe(server);
    await two.leave();
    expect(await serverPid(data.cluster)).toBeNull();
  });
});

describe('a folder with a database', () => {
  beforeAll(async () => {
    data = await newFilledFolder();
  });
  afterAll(() => data.remove());
  afterEach(async () => {
    // A server left by a failed test must not break the next one.
    if ((await serverPid(data.cluster)) !== null) await killServer(data.cluster);
  });

  test('data is there after every process has left and another joins, also of a server that was to be filled', async () => {
    const first = await joinEmbeddedPostgres({ dataDir: data.path, fills: true });
    expect(await ask(first.ownerUrl, 'SHOW wal_level')).toBe('minimal');
    await ask(first.ownerUrl, 'CREATE TABLE kept AS SELECT 7 AS number');
    await first.leave();
    expect(await serverPid(data.cluster)).toBeNull();
    const second = await joinEmbeddedPostgres({ ...notDurable, dataDir: data.path });
    expect(await ask(second.ownerUrl, 'SHOW wal_level')).toBe('replica');
    expect(await ask(second.ownerUrl, 'SELECT number FROM kept')).toBe(7);
    await second.leave();
  });

  test('of several leaving at once exactly the last stops the server', async () => {
    const members = await Promise.all(
      [1, 2, 3, 4].map(() => joinEmbeddedPostgres({ ...notDurable, dataDir: data.path })),
    );
    await Promise.all(members.map((member) => member.leave()));
    expect(await serverPid(data.cluster)).toBeNull();
  });

  test('joining while the last one leaves ends with a running server', async () => {
    let member = await joinEmbeddedPostgres({ ...notDurable, dataDir: data.path });
    for (let round = 0; round < 5; round += 1) {
      const [next] = await Promise.all([
        joinEmbeddedPostgres({ ...notDurable, dataDir: data.path }),
        member.leave(),
      ]);
      expect(await ask(next.url, 'SELECT 1')).toBe(1);
      member = next;
    }
    await member.leave();
    expect(await serverPid(data.cluster)).toBeNull();
  });

  test('Ctrl+C in the terminal that started the server, and its restart, interrupt no other process', async () => {
    const serve = await startMember(data.path);
    const work = await joinEmbeddedPostgres({ ...notDurable, dataDir: data.path });
    const client = new Client({ connectionString: work.url });
    await client.connect();
    await client.query('CREATE TEMP TABLE only_in_this_session ()');

    await serve.interrupt();
    await client.query('TABLE only_in_this_session');
    const again = await startMember(data.path);
    await client.query('TABLE only_in_this_session');
    await again.leave();
    await client.query('TABLE only_in_this_session');

    await client.end();
    await work.leave();
    expect(await serverPid(data.cluster)).toBeNull();
  });

  test('after a SIGKILL of the application the next start joins the server that still runs', async () => {
    const killed = await startMember(data.path);
    const server = await serverPid(data.cluster);
    await killed.kill();
    expect(await serverPid(data.cluster)).toBe(server);

    const next = await joinEmbeddedPostgres({ ...notDurable, dataDir: data.path });
    expect(await serverPid(data.cluster)).toBe(server);
    await next.leave();
    expect(await serverPid(data.cluster)).toBeNull();
  });

  test('after a SIGKILL of the application and the server every commit is recovered', async () => {
    const killed = await startMember(data.path);
    await ask(killed.ownerUrl, 'CREATE TABLE recovered AS SELECT 8 AS number');
    await killed.kill();
    await killServer(data.cluster);

    const next = await joinEmbeddedPostgres({ ...notDurable, dataDir: data.path });
    expect(await ask(next.ownerUrl, 'SELECT number FROM recovered')).toBe(8);
    await next.leave();
  });

  test('a member whose server is killed restarts it automatically', async () => {
    const lines: string[] = [];
    const member = await joinEmbeddedPostgres({
      ...notDurable,
      dataDir: data.path,
      log: (line) => lines.push(line),
    });
    const client = new Client({ connectionString: member.url });
    client.on('error', () => undefined);
    await client.connect();
    const cutOff = new Promise((resolve) => client.once('end', resolve));
    await killServer(data.cluster);
    await cutOff;
    const members =
      'SELECT count(*)::int FROM pg_stat_activity WHERE application_name LIKE $$pricewright:%$$';
    await expect.poll(() => ask(member.url, members).catch(() => null)).toBe(1);
    await member.leave();
    expect(lines).toContain('Lost the database server; joining it again.');
    expect(await serverPid(data.cluster)).toBeNull();
  });

  test('a member that leaves while its server restarts leaves no server behind', async () => {
    const launched: string[] = [];
    let hearOfLoss: () => void = () => undefined;
    const lost = new Promise<void>((resolve) => {
      hearOfLoss = resolve;
    });
    const member = await joinEmbeddedPostgres({
      ...notDurable,
      dataDir: data.path,
      log: (line) => {
        launched.push(line);
        if (line.startsWith('Lost')) hearOfLoss();
      },
    });
    await killServer(data.cluster);
    await lost;
    await member.leave();
    expect(launched).toContain('Lost the database server; joining it again.');
    expect(await serverPid(data.cluster)).toBeNull();
  });
});
