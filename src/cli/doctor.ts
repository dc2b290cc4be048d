import type { Finding } from '#usecases/doctor/finding.ts';
import { isHelp } from './backup.ts';
import { EXIT } from './exit-codes.ts';
import type { Io } from './users.ts';

const DOCTOR_USAGE = `Usage: pricewright doctor [--json]

Checks this installation: Node.js, memory, data folder, disk, database, schema, clock, engine, leases, master key,
credentials, the schedule of backups, the last backup and PUBLIC_URL. It changes nothing; the embedded database is
started if it does not run.

--json  one JSON object: ok, and checks with check, status, message and fix

The exit code is 1 when a check failed. Warnings do not change it.`;

/**
 * `pricewright doctor ...`.
 * @param examine only called once the arguments make sense
 * @returns the exit code: 0 nothing failed, 1 a check failed, 2 wrong usage
 */
export async function doctorCommand(
  argv: readonly string[],
  io: Io,
  examine: () => Promise<readonly Finding[]>,
): Promise<number> {
  if (isHelp(argv)) {
    io.out(DOCTOR_USAGE);
    return EXIT.ok;
  }
  const isJson = argv.length === 1 && argv[0] === '--json';
  if (argv.length > 0 && !isJson) {
    io.err(DOCTOR_USAGE);
    return EXIT.unusable;
  }
  const findings = await examine();
  const isFine = findings.every(({ status }) => status !== 'error');
  if (isJson) io.out(JSON.stringify({ ok: isFine, checks: findings }, null, 2));
  else report(io, findings);
  return isFine ? EXIT.ok : EXIT.failed;
}

function report(io: Io, findings: readonly Finding[]): void {
  const width = Math.max(...findings.map(({ check }) => check.length));
  for (const { check, status, message, fix } of findings) {
    io.out(`${status.padEnd(7)}  ${check.padEnd(width)}  ${message}`);
    if (fix !== null) io.out(`${' '.repeat(7)}  ${' '.repeat(width)}  ${fix}`);
  }
}
