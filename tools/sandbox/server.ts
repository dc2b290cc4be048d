import { type AddressInfo, isIP } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Instant } from '#domain/units.ts';
import { ADAPTERS } from './adapters/adapters.ts';
import { mountAdapter } from './adapters/mount-adapter.ts';
import { addControl } from './control.ts';
import { CREDENTIALS, QUEUE_PATH, type SandboxCredentials } from './credentials.ts';
import { Exchanges } from './exchanges.ts';
import { FACE_NAMES, type FaceName, FaultRegistry } from './faults/fault.ts';
import { addQueueService } from './queue-service.ts';
import type { World } from './world/world.ts';

/** The largest body that anybody may send: a feed of ten thousand prices is two megabytes. */
const BODY_LIMIT = 32 * 1_048_576;
/** Milliseconds between two looks at the clock while nobody asks anything. */
const TICK = 1_000;

export interface SandboxOptions {
  readonly world: World;
  /** 0 lets the system choose a free one. */
  readonly port: number;
  /** What time it is in the world: it is brought up to that before each call. Left out, it stands still. */
  readonly now?: () => Instant;
  /** Whether calls beyond the marketplaces' usual limits are refused. Headers name the limits either way. */
  readonly keepsLimits?: boolean;
  /** How many times the usual limits of calls the seller has, as Amazon gives more to large ones; 1 if left out. */
  readonly limitFactor?: number;
  /** Left out, all of them. Each one that is not there makes the start quicker. */
  readonly faces?: readonly FaceName[];
}

/** One marketplace, or the inventory program. */
interface SimulatedService {
  readonly name: FaceName;
  readonly address: string;
  /** By the names they have in the settings. */
  readonly credentials: Readonly<Record<string, string>>;
}

/** Simulated marketplaces that answer on this machine. */
export interface Sandbox {
  /** Such as "http://127.0.0.1:5050". */
  readonly url: string;
  /** Those that have a face, with where they answer and what opens them. */
  readonly services: readonly SimulatedService[];
  /** Where each of them answers. */
  readonly addresses: Readonly<Record<FaceName, string>>;
  readonly credentials: SandboxCredentials;
  readonly world: World;
  readonly faults: FaultRegistry;
  readonly exchanges: Exchanges;
  close(): Promise<void>;
}

/** Starts the server; only this machine reaches it. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { world, port, now = world.now, keepsLimits = false, limitFactor = 1 } = options;
  const faults = new FaultRegistry();
  const exchanges = new Exchanges();
  const app = Fastify({
    bodyLimit: BODY_LIMIT,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 500 },
  });
  readBodies(app);
  refuseStrangers(app);
  app.addHook('onRequest', async () => world.advance(now()));
  addControl(app, { world, faults, exchanges });
  addQueueService(app, world.queue, () => world.advance(now()));
  const place = { url: '' };
  const mounting = { world, faults, exchanges, keepsLimits, limitFactor, place };
  const faces = (options.faces ?? FACE_NAMES).map((name) => mountAdapter(app, ADAPTERS[name], mounting));
  await app.listen({ host: '127.0.0.1', port });
  // Events are sent when something happens, whether or not anybody asks.
  const ticking = options.now === undefined ? null : setInterval(() => world.advance(now()), TICK).unref();
  place.url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const sqsQueueUrl = `${place.url}${QUEUE_PATH}`;
  const credentials = { ...CREDENTIALS, amazon: { ...CREDENTIALS.amazon, sqsQueueUrl } };
  const addressOf = (name: FaceName): [FaceName, string] => [name, `${place.url}/${name}`];
  return {
    url: place.url,
    services: faces.map((name) => ({
      name,
      address: `${place.url}/${name}`,
      credentials: credentials[name],
    })),
    addresses: Object.fromEntries(FACE_NAMES.map(addressOf)) as Record<FaceName, string>,
    credentials,
    world,
    faults,
    exchanges,
    close: async () => {
      if (ticking !== null) clearInterval(ticking);
      faults.release();
      await app.close();
    },
  };
}

/** Forms become records, everything that is no JSON stays text. */
function readBodies(app: FastifyInstance): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, text, done) => done(null, Object.fromEntries(new URLSearchParams(text.toString()))),
  );
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, done) => done(null, text));
}

/** A page in a browser must not reach it by a name of its own that leads to this machine. */
function refuseStrangers(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    const isName = request.hostname !== 'localhost' && isIP(request.hostname.replace(/^\[|\]$/g, '')) === 0;
    if (isName) return reply.code(403).send({ message: 'The sandbox answers this machine alone.' });
  });
}
