import { open, writeFile } from 'node:fs/promises';
import type { CommandIo } from '#cli/io.ts';
import { mainCommand } from '#cli/main-command.ts';
import { type ByteSource, chunkedSource } from '#files/byte-source.ts';

/** EX_SOFTWARE of sysexits.h. */
const INTERNAL_ERROR = 70;

/** The composition root of the program that needs no database: only this file knows the process. */
const io: CommandIo = {
  openFile,
  openStdin: () => chunkedSource(process.stdin),
  writeOut,
  writeError: (text) => void process.stderr.write(text),
  writeFile: (path, text) => writeFile(path, text),
  isTerminal: process.stderr.isTTY === true,
  now: () => Date.now(),
};

// Without a listener a broken pipe would end the process with a stack trace; the write itself rejects.
process.stdout.on('error', () => undefined);
try {
  process.exitCode = await mainCommand(process.argv.slice(2), io);
} catch (error) {
  // A bug. Not Node's exit code 1, which says here that rows were rejected.
  process.stderr.write(`pricewright: ${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = INTERNAL_ERROR;
}

async function openFile(path: string): Promise<ByteSource> {
  const handle = await open(path);
  const stats = await handle.stat();
  if (stats.isDirectory()) {
    await handle.close();
    throw Object.assign(new Error(`${path} is a folder`), { code: 'EISDIR' });
  }
  // Read from the file's current position, never at an offset: a named pipe has none.
  return {
    read: async (target) => (await handle.read(target)).bytesRead,
    close: () => handle.close(),
  };
}

function writeOut(text: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    if (text.length === 0) resolve();
    else process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}
