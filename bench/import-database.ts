import { rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { joinEmbeddedPostgres } from '#db/embedded/supervisor.ts';
import { migrate } from '#db/migrate.ts';

/** A server of our own, and databases of it that hold the empty schema. */
export interface BenchServer {
  /** A new, empty, migrated database. */
  create(): Promise<BenchDatabase>;
  /** Ends the server and deletes what it kept. */
  close(): Promise<void>;
}

export interface BenchDatabase {
  readonly url: string;
  /** The same database for the superuser, who may COPY from a file of the server. */
  readonly superuserUrl: string;
  drop(): Promise<void>;
}

/** Starts the PostgreSQL that the product brings, with the product's own settings. @param under folder for its files */
export async function benchServer(under: string): Promise<BenchServer> {
  const dataDir = join(under, 'import-data');
  rmSync(dataDir, { recursive: true, force: true });
  const server = await joinEmbeddedPostgres({ dataDir, log: () => undefined });
  const at = (database: string, user?: string): string => {
    const url = new URL(server.ownerUrl);
    url.pathname = `/${database}`;
    if (user !== undefined) url.username = user;
    return url.href;
  };
  const admin = new pg.Client({ connectionString: at('postgres', 'postgres') });
  await admin.connect();
  await admin.query('CREATE DATABASE bench_template OWNER pricewright');
  await migrate(at('bench_template'));
  let made = 0;
  return {
    create: async () => {
      const name = `bench_${++made}`;
      await admin.query(`CREATE DATABASE ${name} TEMPLATE bench_template OWNER pricewright`);
      return {
        url: at(name),
        superuserUrl: at(name, 'postgres'),
        drop: async () => {
          await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
        },
      };
    },
    close: async () => {
      await admin.end();
      await server.leave();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
