import { FileError } from '#files/file-error.ts';
import { EXIT } from './exit-codes.ts';
import type { CommandIo } from './io.ts';
import { REPRICE_HELP } from './reprice-help.ts';
import { type RepriceOptions, readRepriceOptions } from './reprice-options.ts';
import { runReprice } from './reprice-run.ts';
import { type Summary, summaryText } from './tally.ts';
import { UsageError } from './usage-error.ts';

/**
 * `pricewright reprice`.
 * @param args the arguments after `reprice`
 * @returns the exit code
 */
export async function repriceCommand(args: readonly string[], io: CommandIo): Promise<number> {
  try {
    const options = readRepriceOptions(args);
    if (options === null) {
      await io.writeOut(REPRICE_HELP);
      return EXIT.ok;
    }
    const summary = await runReprice(options, io);
    io.writeError(`${summaryText(summary)}\n`);
    await writeSummary(options, summary, io);
    return summary.rejected === 0 ? EXIT.ok : EXIT.failed;
  } catch (error) {
    // The reader closed the pipe (`| head`): no output is needed.
    if (codeOf(error) === 'EPIPE') return EXIT.ok;
    io.writeError(`pricewright: ${plainReason(error)}\n`);
    return EXIT.unusable;
  }
}

async function writeSummary(
  { summary: path }: RepriceOptions,
  summary: Summary,
  io: CommandIo,
): Promise<void> {
  if (path === null) return;
  try {
    await io.writeFile(path, `${JSON.stringify(summary, null, 2)}\n`);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new FileError(`${path} cannot be written: ${why}. Check the path given to --summary.`, {
      cause: error,
    });
  }
}

/** @throws the error itself when it is no refusal and not the system's: then it is a bug */
function plainReason(error: unknown): string {
  if (error instanceof UsageError || error instanceof FileError) return error.message;
  if (codeOf(error) === null) throw error;
  return `standard output cannot be written: ${error instanceof Error ? error.message : String(error)}.`;
}

/** The system's name for what went wrong; null for any other error. */
function codeOf(error: unknown): string | null {
  return error instanceof Error && 'syscall' in error && 'code' in error ? String(error.code) : null;
}
