import { spawn } from 'node:child_process';
import { checkNode, ensureBuilt, ensureInstalled } from './ensure.mjs';
import { main, root, whenNpmIsGone } from './project.mjs';

/**
 * Runs the built program in this terminal until it ends, and ends the way it did.
 *
 * Ctrl+C reaches every process of the terminal, the program too, and npm passes it on to us once more: handing
 * it down again would look like the second, impatient Ctrl+C. So with a terminal we only stay alive until the
 * program has stopped in good order. Every other signal comes to us alone and is handed down.
 */
function runProgram(args) {
  const child = spawn(process.execPath, ['dist/server/main.js', ...args], { cwd: root, stdio: 'inherit' });
  const fromTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  process.on('SIGINT', () => {
    if (!fromTerminal) child.kill('SIGINT');
  });
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  whenNpmIsGone(() => child.kill('SIGTERM'));
  child.on('error', (error) => {
    throw error;
  });
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    // Die of the same signal, so that the shell above reports what really happened.
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

await main(async () => {
  checkNode();
  await ensureInstalled();
  await ensureBuilt();
  runProgram(process.argv.slice(2));
});
