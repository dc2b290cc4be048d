import { ruleIndex } from '#domain/rules/rule-choice.ts';
import { isTimeZone } from '#domain/time/time-zone.ts';
import type { ByteSource } from '#files/byte-source.ts';
import { loadRules } from '#files/load-rules.ts';
import { problemText, quoted } from '#files/row-problem.ts';
import { RULE_FORMAT } from '#files/rule-format.ts';
import { Table } from '#files/table.ts';
import { EXIT } from './exit-codes.ts';
import type { CommandIo } from './io.ts';
import { listOf, MemberError, Members, objectOf } from './json-members.ts';
import { chooserOf, decisionJson, type PolicyRun, strategyChooserOf } from './policy-decision.ts';
import { sessionOf } from './policy-session.ts';
import { UsageError } from './usage-error.ts';

const HELP = `pricewright policy: decides prices for a simulator, one JSON line in and one JSON line out.

  pricewright policy [--rules FILE] [--time-zone ZONE] < observations > decisions

  --rules FILE      the rules file of reprice: strategies, or lines. Without it the first line has to be
                    {"init": {...}}, whose strategy decides
  --time-zone ZONE  where the shop is, such as America/New_York, for lines about hours, days and dates

Each line of standard input is an observation of one listing, or {"observations": [...]}, which one line
{"decisions": [...]} answers. "state" of a decision goes into the next observation of the same listing:
the command remembers nothing. After a line {"init": {...}}, which has no answer, it remembers the listings,
and answers have no state. Amounts are dollars, shares are fractions, times are timestamps or numbers
of periods. docs/rules.md lists the members.

A line that cannot be read is answered by {"line": 7, "error": "cost is missing"}, and the rest goes on.

Exit code: 0 every line was read; 1 some lines, or rows of the rules file, were unreadable;
2 the arguments or the rules file cannot be used.
`;

/**
 * `pricewright policy`.
 * @param args the arguments after `policy`
 * @returns the exit code
 */
export async function policyCommand(args: readonly string[], io: CommandIo): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    await io.writeOut(HELP);
    return EXIT.ok;
  }
  try {
    const { path, timeZone } = optionsOf(args);
    const { chooseRule, rejected } = path === null ? NO_RULES : await loadRuleFile(path, io);
    const unread = await answerAll({ chooseRule, timeZone, session: null }, io);
    return rejected + unread === 0 ? EXIT.ok : EXIT.failed;
  } catch (error) {
    // The simulator closed the pipe: no output is needed.
    if (error instanceof Error && 'code' in error && error.code === 'EPIPE') return EXIT.ok;
    io.writeError(`pricewright: ${error instanceof Error ? error.message : String(error)}\n`);
    return EXIT.unusable;
  }
}

function optionsOf(args: readonly string[]): {
  readonly path: string | null;
  readonly timeZone: string | null;
} {
  const given = new Map<string, string>();
  for (let at = 0; at < args.length; at += 2) {
    const flag = args[at] as string;
    const value = args[at + 1];
    const isKnown = flag === '--rules' || flag === '--time-zone';
    if (!isKnown || value === undefined || given.has(flag)) {
      throw new UsageError(`policy cannot use ${quoted(flag)}. See pricewright policy --help.`);
    }
    given.set(flag, value);
  }
  const path = given.get('--rules') ?? null;
  const timeZone = given.get('--time-zone') ?? null;
  if (path === '-') throw new UsageError('--rules needs a file: standard input has the observations.');
  if (timeZone !== null && !isTimeZone(timeZone)) {
    throw new UsageError(`--time-zone ${quoted(timeZone)} is not a time zone: use America/New_York.`);
  }
  return { path, timeZone };
}

/** What a rules file has. */
interface RuleFile extends Pick<PolicyRun, 'chooseRule'> {
  /** Rows that cannot be read. */
  readonly rejected: number;
}

const NO_RULES: RuleFile = { chooseRule: null, rejected: 0 };

async function loadRuleFile(path: string, io: CommandIo): Promise<RuleFile> {
  let rejected = 0;
  const source = await io.openFile(path);
  try {
    const table = await Table.open(path, source, RULE_FORMAT);
    const { rules } = await loadRules(table, (problem) => {
      rejected += 1;
      io.writeError(`${problemText(problem)}\n`);
    });
    const always = ruleIndex(rules);
    const isTimed = rules.some(({ schedule }) => schedule !== null);
    return { chooseRule: chooserOf((local) => (isTimed ? ruleIndex(rules, local) : always)), rejected };
  } finally {
    await source.close();
  }
}

/** Answers each line before the next is read, since the next may depend on the answer. @returns how many could not be read */
async function answerAll(started: PolicyRun, io: CommandIo): Promise<number> {
  let run = started;
  let unread = 0;
  let line = 0;
  for await (const written of linesOf(io.openStdin())) {
    line += 1;
    if (written.trim() === '') continue;
    let answer: object;
    try {
      const value: unknown = JSON.parse(written);
      const members = new Members(value, '');
      const session = members.find('init', objectOf(sessionOf));
      if (session !== null) {
        run = { ...run, session, chooseRule: started.chooseRule ?? strategyChooserOf(session) };
        continue;
      }
      answer = answerOf(value, members, run);
    } catch (error) {
      if (!(error instanceof MemberError) && !(error instanceof SyntaxError)) throw error;
      unread += 1;
      answer = { line, error: error instanceof SyntaxError ? 'the line is not JSON' : error.message };
    }
    await io.writeOut(`${JSON.stringify(answer)}\n`);
  }
  return unread;
}

function answerOf(value: unknown, members: Members, run: PolicyRun): object {
  if (!members.has('observations')) return decisionJson(value, run);
  return {
    decisions: members.get(
      'observations',
      listOf((one, path) => decisionJson(one, run, path)),
    ),
  };
}

const CHUNK = 65_536;

/** The lines of a source, each as soon as it has ended; the last one needs no end. */
async function* linesOf(source: ByteSource): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const chunk = new Uint8Array(CHUNK);
  let rest = '';
  for (let size = await source.read(chunk); size > 0; size = await source.read(chunk)) {
    const lines = (rest + decoder.decode(chunk.subarray(0, size), { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
