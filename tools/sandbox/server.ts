import { type AddressInfo, isIP } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Instant } from '#domain/units.ts';
import { ADAPTERS } from './adapters/adapters.ts';
import { AccountDeletion } from './adapters/ebay/account-deletion.ts';
import { mountAdapter } from './adapters/mount-adapter.ts';
import { addControl } from './control.ts';
import { CREDENTIALS, QUEUE_PATH, type SandboxCredentials } from './credentials.ts';
import { Exchanges } from './exchanges.ts';
import { FaultRegistry, SERVICE_NAMES, type ServiceName } from './faults/fault.ts';
import { OddValues } from './faults/odd-values.ts';
import { addQueueService } from './queue-service.ts';
import type { World } from './world/world.ts';

/** The largest request body in bytes: a feed of 10,000 prices is 2 MB. */
const BODY_LIMIT = 32 * 1_048_576;
/** Milliseconds between advances of the world without a request. */
const TICK_INTERVAL = 1_000;

export interface SandboxOptions {
  readonly world: World;
  /** 0 for any free port. */
  readonly port: number;
  /** The clock of the world, which advances to it before each call. Without it, time does not pass. */
  readonly now?: () => Instant;
  /** Whether calls beyond the marketplaces' usual limits are rejected. Headers report the limits either way. */
  readonly keepsLimits?: boolean;
  /** Multiplies the call limits, as Amazon does for large sellers; 1 by default. */
  readonly limitFactor?: number;
  /** All of them by default. Fewer services start faster. */
  readonly services?: readonly ServiceName[];
}

/** One marketplace, or the inventory program. */
interface SimulatedService {
  readonly name: ServiceName;
  readonly address: string;
  /** By their names in Settings. */
  readonly credentials: Readonly<Record<string, string>>;
}

/** Simulated marketplaces on this machine. */
export interface Sandbox {
  /** Such as "http://127.0.0.1:5050". */
  readonly url: string;
  /** The started services with their addresses and credentials. */
  readonly services: readonly SimulatedService[];
  /** The base URL of each service. */
  readonly addresses: Readonly<Record<ServiceName, string>>;
  readonly credentials: SandboxCredentials;
  readonly world: World;
  readonly faults: FaultRegistry;
  /** Values that services write in odd ways. */
  readonly oddValues: OddValues;
  readonly exchanges: Exchanges;
  /** eBay's messages about deleted accounts. */
  readonly accountDeletion: AccountDeletion;
  /**
   * Counts calls that another program of the seller made with the same credentials.
   * @throws RangeError for an operation without a limit
   */
  countElsewhere(service: ServiceName, operation: string, calls: number): void;
  close(): Promise<void>;
}

/** Starts the server; only this machine reaches it. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { world, port, now = world.now, keepsLimits = false, limitFactor = 1 } = options;
  const faults = new FaultRegistry(world.now);
  const exchanges = new Exchanges();
  const accountDeletion = new AccountDeletion(world.market('ebay'));
  const oddValues = new OddValues();
  const app = Fastify({
    bodyLimit: BODY_LIMIT,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 500 },
  });
  readBodies(app);
  rejectOtherHosts(app);
  app.addHook('onRequest', async () => world.advance(now()));
  addQueueService(app, world.queue, () => world.advance(now()));
  const place = { url: '' };
  const counters = new Map<ServiceName, (operation: string, calls: number) => void>();
  const countElsewhere = (service: ServiceName, operation: string, calls: number): void =>
    counters.get(service)?.(operation, calls);
  const mounting = {
    world,
    accountDeletion,
    faults,
    oddValues,
    exchanges,
    keepsLimits,
    limitFactor,
    place,
    counters,
  };
  addControl(app, { world, accountDeletion, faults, oddValues, exchanges, countElsewhere });
  const services = (options.services ?? SERVICE_NAMES).map((name) =>
    mountAdapter(app, ADAPTERS[name], mounting),
  );
  await app.listen({ host: '127.0.0.1', port });
  // Events must be sent when something happens, not only when a request arrives.
  const ticking =
    options.now === undefined ? null : setInterval(() => world.advance(now()), TICK_INTERVAL).unref();
  place.url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const sqsQueueUrl = `${place.url}${QUEUE_PATH}`;
  const credentials = { ...CREDENTIALS, amazon: { ...CREDENTIALS.amazon, sqsQueueUrl } };
  const addressOf = (name: ServiceName): [ServiceName, string] => [name, `${place.url}/${name}`];
  return {
    url: place.url,
    services: services.map((name) => ({
      name,
      address: `${place.url}/${name}`,
      credentials: credentials[name],
    })),
    addresses: Object.fromEntries(SERVICE_NAMES.map(addressOf)) as Record<ServiceName, string>,
    credentials,
    world,
    faults,
    oddValues,
    exchanges,
    accountDeletion,
    countElsewhere,
    close: async () => {
      if (ticking !== null) clearInterval(ticking);
      faults.release();
      await app.close();
    },
  };
}

/** Parses forms into records; other types than JSON stay text. */
function readBodies(app: FastifyInstance): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, text, done) => done(null, Object.fromEntries(new URLSearchParams(text.toString()))),
  );
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, done) => done(null, text));
}

/** Rejects other host names, so that no web page can reach the sandbox by DNS rebinding. */
function rejectOtherHosts(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    const isName = request.hostname !== 'localhost' && isIP(request.hostname.replace(/^\[|\]$/g, '')) === 0;
    if (isName)
      return reply.code(403).send({ message: 'The sandbox only accepts requests from this machine.' });
  });
}
