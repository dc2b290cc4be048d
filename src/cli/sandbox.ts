import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { EXIT } from './exit-codes.ts';
import type { Io } from './users.ts';

export interface SandboxRequest {
  /** 0 lets the system choose a free one. */
  readonly port: number;
  readonly seed: string;
  /** How many seconds pass in the simulated world in one of ours. */
  readonly speed: number;
}

/** One simulated service. */
interface SimulatedService {
  readonly name: string;
  readonly address: string;
  /** By the names they have in the settings. */
  readonly credentials: Readonly<Record<string, string>>;
}

/** What runs once it is started. */
export interface RunningSandbox {
  readonly url: string;
  readonly services: readonly SimulatedService[];
  close(): Promise<void>;
}

export interface SandboxDeps {
  /** Only called once the arguments make sense. */
  readonly start: (request: SandboxRequest) => Promise<RunningSandbox>;
  /** Resolves when a stop is requested. */
  readonly stopped: () => Promise<void>;
}

export const SANDBOX_USAGE = `Usage: pricewright sandbox [--port N] [--seed N] [--speed N]

Simulated marketplaces on this machine, with competitors, buyers and faults on demand. They open with credentials of
their own, which are printed, and are never sent elsewhere.

--port   port to listen on (default 5050, 0 = any free port)
--seed   number that selects the simulated store; the same seed gives the same store
--speed  how many times faster than real time, from 1 to 10000`;

const DEFAULTS: SandboxRequest = { port: 5_050, seed: '1', speed: 1 };

/** `pricewright sandbox ...`. @returns the exit code: 0 ended as asked, 1 the port is not free, 2 wrong usage */
export async function sandboxCommand(argv: readonly string[], io: Io, deps: SandboxDeps): Promise<number> {
  if (argv.some((word) => word === '--help' || word === '-h' || word === 'help')) {
    io.out(SANDBOX_USAGE);
    return EXIT.ok;
  }
  const request = requestOf(argv);
  if (request === null) {
    io.err(SANDBOX_USAGE);
    return EXIT.unusable;
  }
  try {
    const running = await deps.start(request);
    report(io, running);
    await deps.stopped();
    await running.close();
    return EXIT.ok;
  } catch (error) {
    if (!isTaken(error)) throw error;
    io.err(`Port ${request.port} is not free. Choose another one with --port.`);
    return EXIT.failed;
  }
}

/** Null for arguments that make no sense. */
function requestOf(argv: readonly string[]): SandboxRequest | null {
  let request = DEFAULTS;
  for (let at = 0; at < argv.length; at += 2) {
    const value = argv[at + 1] ?? '';
    const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
    if (argv[at] === '--port' && number <= 65_535) request = { ...request, port: number };
    else if (argv[at] === '--seed' && number >= 0) request = { ...request, seed: String(number) };
    else if (argv[at] === '--speed' && number >= 1 && number <= 10_000)
      request = { ...request, speed: number };
    else return null;
  }
  return request;
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}

function report(io: Io, { url, services }: RunningSandbox): void {
  io.out(`Simulated marketplaces answer at ${url} until you press Ctrl+C.`);
  io.out('');
  io.out('Start Pricewright with these, on a data folder that holds no real credentials:');
  for (const { name, address } of services) io.out(`  PRICEWRIGHT_${name.toUpperCase()}_URL=${address}`);
  for (const { name, credentials } of services) {
    io.out('');
    io.out(`${nameOf(name)}:`);
    const width = Math.max(...Object.keys(credentials).map(({ length }) => length));
    for (const [member, value] of Object.entries(credentials)) io.out(`  ${member.padEnd(width)}  ${value}`);
  }
}

function nameOf(name: string): string {
  return (MARKETPLACE_NAMES as Readonly<Record<string, string>>)[name] ?? 'Veeqo';
}
