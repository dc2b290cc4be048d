import { fork } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mutantsOf } from './mutants.mjs';

const REPOSITORY = fileURLToPath(new URL('..', import.meta.url));
/** Longer than all laws together take on a busy machine; what takes longer never ends. */
const LONGEST_RUN = 90_000;
/** Where the copy has src/domain, and which tests it has. */
const PARTS = ['package.json', 'tsconfig.base.json', 'src/domain', 'tests/builders'];

/** A copy of the repository in which files are broken and tests run, one at a time. */
export class Workbench {
  #runner = null;
  #copy = realpathSync(mkdtempSync(join(tmpdir(), 'mutation-')));
  #domain = join(this.#copy, 'src/domain');
  #tests;

  constructor() {
    for (const part of PARTS) cpSync(join(REPOSITORY, part), join(this.#copy, part), { recursive: true });
    symlinkSync(realpathSync(join(REPOSITORY, 'node_modules')), join(this.#copy, 'node_modules'));
    this.#tests = readdirSync(this.#domain).filter((name) => name.endsWith('.test.ts'));
  }

  /** Throws unless all tests pass on the untouched code: a mutant says nothing otherwise. */
  async proveTests() {
    const { failed, ran } = await this.#run(null, this.#tests);
    if (failed || ran !== this.#tests.length) throw new Error('The tests fail without any mutant.');
  }

  /** Breaks one file in every way there is. */
  async testFile(file) {
    const path = join(this.#domain, file);
    const source = readFileSync(path, 'utf8');
    const mutants = mutantsOf(file, source);
    const row = { file, mutants: mutants.length, killed: 0, endless: 0, survivors: [] };
    for (const [index, mutant] of mutants.entries()) {
      const name = `${file} ${index}`;
      writeFileSync(path, `globalThis.mutant = '${name}';${mutant.text}`);
      const fate = await this.#fateOf(path, file, name);
      if (fate === 'survived') {
        row.survivors.push(mutant);
        console.log(`SURVIVED ${file}:${mutant.line} ${mutant.kind}: ${mutant.before}  ->  ${mutant.after}`);
      } else row[fate] += 1;
    }
    writeFileSync(path, source);
    this.#stopRunner();
    console.log(`${file}: ${row.mutants} mutants, ${row.survivors.length} survived`);
    return row;
  }

  close() {
    this.#stopRunner();
    rmSync(this.#copy, { recursive: true, force: true });
  }

  /** The file's own tests first, then the other examples, then the laws, which take longest. */
  async #fateOf(path, file, name) {
    const stem = basename(file, '.ts');
    const isOwn = (test) => test.startsWith(`${stem}.`) || test.startsWith(`${stem}-`);
    const isLaw = (test) => test.endsWith('-laws.test.ts');
    const rounds = [
      this.#tests.filter((test) => isOwn(test) && !isLaw(test)),
      this.#tests.filter((test) => !isOwn(test) && !isLaw(test)),
      this.#tests.filter(isLaw),
    ].filter((round) => round.length > 0);
    for (const round of rounds) {
      const { endless, failed } = await this.#runCertainly(path, round, name);
      if (endless) return 'endless';
      if (failed) return 'killed';
    }
    return 'survived';
  }

  /** Once more in a new process, which cannot know an older mutant, when the tests did not run this very one. */
  async #runCertainly(path, round, name) {
    const witness = join(this.#copy, 'ran');
    rmSync(witness, { force: true });
    const result = await this.#run(path, round);
    // No witness: the program died or never ended, or no test file got to its end.
    if (!existsSync(witness) || readFileSync(witness, 'utf8') === name) return result;
    this.#stopRunner();
    return this.#run(path, round);
  }

  async #run(changed, names) {
    this.#runner ??= await startRunner(this.#copy);
    const runner = this.#runner;
    return new Promise((resolve) => {
      const finish = (result) => {
        clearTimeout(timer);
        runner.removeAllListeners();
        resolve(result);
      };
      const timer = setTimeout(() => {
        this.#stopRunner();
        finish({ endless: true });
      }, LONGEST_RUN);
      runner.once('message', finish);
      runner.once('exit', () => {
        this.#runner = null;
        finish({ failed: true });
      });
      runner.send({ changed, tests: names.map((name) => join(this.#domain, name)) });
    });
  }

  #stopRunner() {
    this.#runner?.removeAllListeners();
    this.#runner?.kill('SIGKILL');
    this.#runner = null;
  }
}

function startRunner(root) {
  // What a broken program prints while it dies is of no interest.
  const stdio = ['ignore', 'ignore', 'ignore', 'ipc'];
  const child = fork(new URL('mutation-runner.mjs', import.meta.url), [root], { stdio });
  return new Promise((resolve) => child.once('message', () => resolve(child)));
}
