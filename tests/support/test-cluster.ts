import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { grantDailyUse, identityOf } from '#db/daily-role.ts';
import { joinEmbeddedPostgres } from '#db/embedded/supervisor.ts';
import { migrate } from '#db/migrate.ts';
import { newScratchFolder } from './scratch-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Addresses of a server where tests may create databases, and the name of the migrated one they copy. */
    testServer: {
      /** For the role of daily use, which the program has too. */
      readonly url: string;
      /** For the owner of the databases. */
      readonly ownerUrl: string;
      readonly template: string;
      /** What the names of the databases of this run begin with. */
      readonly prefix: string;
      /** A stopped, empty cluster of the embedded server to copy; null on an external server. */
      readonly cluster: string | null;
    };
  }
}

/**
 * The migrations date the engine's switches with the server's clock. The tests have a clock of their own, for which
 * that
 * date is in the future: "not resumed since" would be wrong on every day after the scenarios' day.
 */
const SWITCHED_BEFORE_ANY_SCENARIO = `UPDATE repricing_state SET changed_at = '2000-01-01Z';
  UPDATE marketplace_modes SET changed_at = '2000-01-01Z'`;

/**
 * Once per run: a throw-away cluster, or the server that DATABASE_URL names, with one migrated template
 * database. Vitest calls this before the first database test and the returned function after the last.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await openServer();
  const run = randomBytes(6).toString('hex');
  const template = `pricewright_template_${run}`;
  const prefix = `pricewright_test_${run}_`;
  const { ownerUrl, url } = server;
  await execute(ownerUrl, `CREATE DATABASE ${template}`);
  const owned = withDatabase(ownerUrl, template);
  await migrate(owned);
  await grantDailyUse(owned, (await identityOf(withDatabase(url, template))).role);
  await execute(owned, SWITCHED_BEFORE_ANY_SCENARIO);
  project.provide('testServer', { url, ownerUrl, template, prefix, cluster: server.copy });
  return async () => {
    await dropAll(ownerUrl, prefix);
    await execute(ownerUrl, `DROP DATABASE ${template}`);
    await server.close();
  };
}

/** Workers end without giving back what they have borrowed. */
async function dropAll(url: string, prefix: string): Promise<void> {
  const names = await execute(url, `SELECT datname FROM pg_database WHERE starts_with(datname, '${prefix}')`);
  for (const { datname } of names) await execute(url, `DROP DATABASE ${datname} WITH (FORCE)`);
}

interface Server {
  readonly url: string;
  readonly ownerUrl: string;
  readonly copy: string | null;
  close(): Promise<void>;
}

async function openServer(): Promise<Server> {
  const given = process.env.DATABASE_URL;
  if (given) return openGiven(given);
  const dataDir = await newScratchFolder('test');
  await (await joinEmbeddedPostgres({ dataDir, durable: false })).leave();
  const copy = join(dataDir, 'postgres', 'copy');
  await copyCluster(join(dataDir, 'postgres', 'cluster'), copy);
  const server = await joinEmbeddedPostgres({ dataDir, durable: false });
  const superuser = new URL(withDatabase(server.ownerUrl, 'postgres'));
  superuser.username = 'postgres';
  // The owner, who is no superuser: no test passes only because of that.
  await execute(superuser.href, 'ALTER ROLE pricewright CREATEDB');
  // Otherwise a deadlock of two would be noticed after a second only.
  await execute(superuser.href, "ALTER SYSTEM SET deadlock_timeout = '20ms'");
  // Both cores have a test already: processes that one statement is shared out to cost more than they save.
  await execute(superuser.href, 'ALTER SYSTEM SET max_parallel_workers_per_gather = 0');
  // Its statistics would come at any time: of a table that a test has just emptied they have every later plan expect no rows.
  await execute(superuser.href, 'ALTER SYSTEM SET autovacuum = off');
  await execute(superuser.href, 'SELECT pg_reload_conf()');
  // Who drops a database ends what the other role still has open in it.
  await execute(superuser.href, 'GRANT pg_signal_backend TO pricewright');
  // See fresh-rows.ts.
  await execute(superuser.href, 'GRANT SET ON PARAMETER session_replication_role TO pricewright');
  const close = async (): Promise<void> => {
    await server.leave();
    await rm(dataDir, { recursive: true });
  };
  return { url: server.url, ownerUrl: server.ownerUrl, copy, close };
}

/** On an external server the tests connect as its superuser, and create the role of daily use themselves. */
async function openGiven(ownerUrl: string): Promise<Server> {
  const role = `pricewright_test_${randomBytes(6).toString('hex')}`;
  const url = new URL(ownerUrl);
  url.username = role;
  url.password = randomBytes(16).toString('hex');
  await execute(ownerUrl, `CREATE ROLE ${role} LOGIN PASSWORD '${url.password}'`);
  return {
    url: url.href,
    ownerUrl,
    copy: null,
    // Whatever it was given went with the databases.
    close: async () => void (await execute(ownerUrl, `DROP ROLE ${role}`)),
  };
}

/** A stopped cluster with its owners and rights, which Node's own copy does not keep. */
export async function copyCluster(from: string, to: string): Promise<void> {
  await promisify(execFile)('/bin/cp', ['-a', from, to]);
}

/** The same server, another database. */
export function withDatabase(url: string, database: string): string {
  const address = new URL(url);
  address.pathname = `/${database}`;
  return address.href;
}

/** One statement on a connection of its own, as CREATE and DROP DATABASE need it. */
export async function execute(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
