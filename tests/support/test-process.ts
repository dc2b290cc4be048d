/**
 * A process that joins the embedded PostgreSQL, for tests that need more than one process or kill one.
 * Arguments: data folder, package folder with the binaries, and a uid to become first.
 * Says "joined <address for the owner>", obeys "leave" on its input and Ctrl+C, and says "left".
 */
import { createInterface } from 'node:readline';
import { EmbeddedPostgresError } from '#db/embedded/embedded-postgres-error.ts';
import { thisMachine } from '#db/embedded/machine.ts';
import { joinEmbeddedPostgres } from '#db/embedded/supervisor.ts';

const [dataDir = '', packageFolder = '', uid = ''] = process.argv.slice(2);
const here = { ...thisMachine(), ...(packageFolder === '' ? {} : { packageFolder }) };
const machine = uid === '' ? here : { ...here, uid: Number(uid), gid: Number(uid) };
if (uid !== '') {
  // Here and not by a starter program: Node itself may lie where the other user cannot reach it.
  process.setgroups?.([]);
  process.setgid?.(machine.gid);
  process.setuid?.(machine.uid);
}

const log = (line: string): void => console.log(`log ${line}`);
try {
  const member = await joinEmbeddedPostgres({ dataDir, durable: false, log }, machine);
  const leave = async (): Promise<never> => {
    await member.leave();
    console.log('left');
    process.exit(0);
  };
  process.once('SIGINT', leave);
  createInterface({ input: process.stdin }).once('line', leave);
  console.log(`joined ${member.ownerUrl}`);
} catch (error) {
  if (!(error instanceof EmbeddedPostgresError)) throw error;
  console.log(`failed ${error.code} ${error.message}`);
  process.exitCode = 1;
}
