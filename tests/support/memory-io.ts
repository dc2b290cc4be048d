import type { CommandIo } from '#cli/io.ts';
import { mainCommand } from '#cli/main-command.ts';
import { textSource } from '#files/byte-source.ts';

/** Noon on the day most stories play. */
export const NOON = '2026-11-21T12:00:00Z';

export interface CommandResult {
  readonly code: number;
  readonly out: string;
  readonly errors: string;
  /** What was written, by path. */
  readonly written: ReadonlyMap<string, string>;
}

export interface CommandWorld {
  /** File contents by path; `-` is standard input. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly isTerminal?: boolean;
  /** Replaces standard output. */
  readonly writeOut?: () => Promise<void>;
}

/** Runs `pricewright ARGS` on files in memory, at {@link NOON}. */
export async function runCommand(args: readonly string[], world: CommandWorld = {}): Promise<CommandResult> {
  const { files = {}, isTerminal = false } = world;
  const written = new Map<string, string>();
  let out = '';
  let errors = '';
  const io: CommandIo = {
    async openFile(path) {
      const content = files[path];
      if (content === undefined) throw Object.assign(new Error(`no ${path}`), { code: 'ENOENT' });
      return textSource(content);
    },
    openStdin: () => textSource(files['-'] ?? ''),
    writeOut:
      world.writeOut ??
      (async (text) => {
        out += typeof text === 'string' ? text : Buffer.from(text).toString();
      }),
    writeError(text) {
      errors += text;
    },
    async writeFile(path, text) {
      written.set(path, text);
    },
    isTerminal,
    now: () => Date.parse(NOON),
  };
  const code = await mainCommand(args, io);
  return { code, out, errors, written };
}
