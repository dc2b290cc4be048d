import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder that holds package.json. */
export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** One line for the person at the keyboard. Standard error, so that a command's own output stays clean. */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/** A failure whose message is all that a person needs: what is wrong and what to do. No stack is shown. */
export class PlainError extends Error {}

/** What `run` has started and what has not ended yet. */
const running = new Set();

/** Asks every program that `run` has started to end. */
export function stopRunning() {
  for (const child of running) child.kill('SIGTERM');
}

/**
 * Runs a program to its end and never throws: `code` is its exit code, or null when it was stopped or could not
 * be started, and then `error` says why. After `timeout` milliseconds it is asked to end, then forced to; a
 * program of another user (sudo) that resists is left behind. Output is shown unless `capture` is set.
 */
export function run(command, args, { capture = false, timeout, ...options } = {}) {
  return new Promise((resolve) => {
    const stdio = capture ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'];
    const child = spawn(command, args, { cwd: root, stdio, ...options });
    running.add(child);
    const output = [];
    child.stdout?.on('data', (chunk) => output.push(chunk));
    child.stderr?.on('data', (chunk) => output.push(chunk));
    let late = false;
    const timers = [];
    const after = (ms, then) => timers.push(setTimeout(then, ms));
    const finish = (code, error) => {
      running.delete(child);
      timers.forEach(clearTimeout);
      resolve({ code, error, output: Buffer.concat(output).toString() });
    };
    if (timeout) {
      after(timeout, () => {
        late = true;
        child.kill('SIGTERM');
      });
      after(timeout + 5_000, () => child.kill('SIGKILL'));
      after(timeout + 6_000, () => finish(null, `no end after ${timeout / 1000} s`));
    }
    child.on('error', (error) => finish(null, error.message));
    child.on('close', (code, signal) => {
      if (late) finish(null, `no end after ${timeout / 1000} s`);
      else finish(code, signal ? `stopped by ${signal}` : null);
    });
  });
}

/**
 * Calls `stop` once when the shell that npm started us through is gone. npm hands a SIGTERM only to that shell,
 * most shells die of it without a word to us, and nobody would be left to stop the server.
 */
export function whenNpmIsGone(stop) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const shell = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(timer);
    stop();
  }, 250);
  timer.unref();
}

/** Runs a script's main function; a PlainError becomes one sentence and exit code 1. */
export async function main(body) {
  try {
    await body();
  } catch (error) {
    if (!(error instanceof PlainError)) throw error;
    say(error.message);
    process.exitCode = 1;
  }
}
