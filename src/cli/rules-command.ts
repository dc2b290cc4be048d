import { parseLines } from '#domain/lines/parse-lines.ts';
import { linesOfStrategy } from '#domain/lines/strategy-lines.ts';
import { RULE_TEMPLATES, type RuleTemplate } from '#domain/lines/templates.ts';
import { type Rule, WITHOUT_LINES, WITHOUT_SCOPE } from '#domain/rules/rule.ts';
import type { Bps } from '#domain/units.ts';
import { loadRules } from '#files/load-rules.ts';
import { problemText } from '#files/row-problem.ts';
import { ruleHeader, ruleLine } from '#files/rule-export.ts';
import { RULE_FORMAT } from '#files/rule-format.ts';
import { Table } from '#files/table.ts';
import { EXIT } from './exit-codes.ts';
import type { CommandIo } from './io.ts';

const HELP = `pricewright rules: writes a rules file with lines to standard output.

  pricewright rules                  every template as an inactive rule, with when to use it
  pricewright rules --convert FILE   the rules of a file, each strategy as the lines that decide the same

A rule that has lines, or an offset beyond $1,000.00, stays as it is. docs/rules.md explains lines.

Exit code: 0 every row was read; 1 some rows were unreadable (listed on standard error, and not written);
2 the arguments or the file cannot be used.
`;

/**
 * `pricewright rules`.
 * @param args the arguments after `rules`
 * @returns the exit code
 */
export async function rulesCommand(args: readonly string[], io: CommandIo): Promise<number> {
  const [flag, path, ...rest] = args;
  if (flag === undefined) {
    await io.writeOut(templateFile());
    return EXIT.ok;
  }
  if (flag === '--help' || flag === '-h') {
    await io.writeOut(HELP);
    return EXIT.ok;
  }
  if (flag !== '--convert' || path === undefined || rest.length > 0) {
    io.writeError('pricewright: rules takes nothing or --convert FILE. See pricewright rules --help.\n');
    return EXIT.unusable;
  }
  try {
    return await convert(path, io);
  } catch (error) {
    io.writeError(`pricewright: ${error instanceof Error ? error.message : String(error)}\n`);
    return EXIT.unusable;
  }
}

async function convert(path: string, io: CommandIo): Promise<number> {
  let rejected = 0;
  const source = path === '-' ? io.openStdin() : await io.openFile(path);
  try {
    const table = await Table.open(path === '-' ? 'standard input' : path, source, RULE_FORMAT);
    const { rules, badLines } = await loadRules(table, (problem) => {
      rejected += 1;
      io.writeError(`${problemText(problem)}\n`);
    });
    const readable = rules.filter(({ id }) => !badLines.has(id));
    await io.writeOut(`${ruleHeader()}${readable.map((rule) => ruleLine(withLines(rule))).join('')}`);
  } finally {
    await source.close();
  }
  return rejected === 0 ? EXIT.ok : EXIT.failed;
}

function withLines(rule: Rule): Rule {
  return { ...rule, ...linesOfStrategy(rule) };
}

function templateFile(): string {
  const rows = RULE_TEMPLATES.map((template, index) =>
    ruleLine(ruleOf(template, index), [template.summary, template.whenToUse]),
  );
  return `${ruleHeader(['summary', 'whenToUse'])}${rows.join('')}`;
}

/** Inactive, so that a file with all of them prices nothing before one is chosen. */
function ruleOf({ name, lines }: RuleTemplate, index: number): Rule {
  return {
    ...WITHOUT_LINES,
    ...WITHOUT_SCOPE,
    id: name,
    name,
    marketplace: null,
    fulfillmentType: 'All',
    strategy: 'Fixed Margin',
    minimumMargin: 1_500 as Bps,
    marketplaceMargins: {},
    competitorOffset: null,
    isActive: false,
    requiresReview: false,
    noCompetitor: 'keep',
    belowFloor: 'floor',
    otherChannels: false,
    refuseCrossChannel: false,
    filter: null,
    order: index,
    lines: parseLines(lines).lines,
    targetMargin: TARGET_MARGIN,
    onlySameShipping: false,
  };
}

const TARGET_MARGIN = 3_500 as Bps;
