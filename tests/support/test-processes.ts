import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { inject } from 'vitest';

/** Another process that has joined a data folder's server, see test-process.ts. */
export interface Member {
  readonly pid: number;
  readonly ownerUrl: string;
  /** Leaves in good order and ends. */
  leave(): Promise<void>;
  /** As Ctrl+C in its terminal does: the signal goes to its whole process group. */
  interrupt(): Promise<void>;
  /** SIGKILL: it has no chance to say goodbye. */
  kill(): Promise<void>;
}

export interface MemberOptions {
  readonly packageFolder?: string;
  readonly uid?: number;
}

/** Starts a member and SIGKILLs it as soon as it logs a line that starts so. */
export async function killMemberAt(dataDir: string, log: string): Promise<void> {
  const child = spawnMember([dataDir]);
  const ended = once(child, 'exit');
  await firstWord(child, `log ${log}`);
  child.kill('SIGKILL');
  await ended;
}

/** Starts a member in a process group of its own; rejects with its message when it cannot join. */
export async function startMember(dataDir: string, options: MemberOptions = {}): Promise<Member> {
  const child = spawnMember([dataDir, options.packageFolder ?? '', String(options.uid ?? '')]);
  const ended = once(child, 'exit');
  const ownerUrl = await firstWord(child, 'joined');
  const pid = child.pid ?? 0;
  const end = async (action: () => void): Promise<void> => {
    action();
    await ended;
  };
  return {
    pid,
    ownerUrl,
    leave: () => end(() => child.stdin?.write('leave\n')),
    interrupt: () => end(() => process.kill(-pid, 'SIGINT')),
    kill: () => end(() => process.kill(pid, 'SIGKILL')),
  };
}

function spawnMember(args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [join(inject('testPrograms'), 'member.js'), ...args], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}

/** The rest of the first line that starts with the word. */
function firstWord(child: ChildProcess, word: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const said: string[] = [];
    if (child.stdout === null) throw new Error('started without an output');
    createInterface({ input: child.stdout }).on('line', (line) => {
      said.push(line);
      if (line.startsWith(`${word} `)) resolve(line.slice(word.length + 1));
    });
    child.once('exit', () => reject(new Error(said.join('\n'))));
  });
}
