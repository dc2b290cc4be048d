import { existsSync } from 'node:fs';
import { sessionChecker } from './check-sessions.ts';
import { runSessions } from './session.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined || !existsSync(folder)) {
  console.error(
    'Usage: npm run contracts -- DIR\n\nDIR  a folder with the official API documents, a folder per service',
  );
  process.exit(2);
}
const check = sessionChecker(folder);
let failures = 0;
console.log('service    calls  kinds  deviations  explained');
for (const session of await runSessions()) {
  const { service, checked, operations, unexplained, explained } = check(session);
  failures += unexplained.length;
  const cells = [checked, operations, unexplained.length, explained];
  console.log(
    service.padEnd(9) +
      ['', ...cells].map((cell, at) => String(cell).padStart([0, 7, 7, 12, 11][at] ?? 0)).join(''),
  );
  for (const { call, side, where, problem } of unexplained.slice(0, 20)) {
    console.log(`  ${call}: ${side} ${where} ${problem}`);
  }
}
process.exit(failures === 0 ? 0 : 1);
