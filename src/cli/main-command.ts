import { quoted } from '#files/row-problem.ts';
import { EXIT } from './exit-codes.ts';
import type { CommandIo } from './io.ts';
import { nearest } from './nearest.ts';
import { policyCommand } from './policy-command.ts';
import { repriceCommand } from './reprice-command.ts';
import { rulesCommand } from './rules-command.ts';

const COMMANDS = {
  reprice: 'calculate prices from CSV files, without a database',
  rules: 'write rules with lines: templates, or the strategies of a file',
  policy: 'decide prices for a simulator, JSON lines in and out, without a database',
  serve: 'run the web application',
  work: 'run the background work',
  users:
    'list, approve and unlock accounts, make administrators, turn two-factor authentication or the identity provider off',
  keys: 'change the key that encrypts stored secrets',
  backup: 'write all data into one file, also while Pricewright runs',
  restore: 'fill an empty database from such a file',
  doctor: 'check this installation and say how to fix what is wrong',
  sandbox: 'simulate the marketplaces on this machine',
} as const;

const HELP = `pricewright: reprices a seller's listings and never goes below the minimum margin.

  pricewright COMMAND [flags]

${Object.entries(COMMANDS)
  .map(([name, what]) => `  ${name.padEnd(8)}  ${what}`)
  .join('\n')}

pricewright COMMAND --help explains a command. npm start runs the whole application.

Example:
  pricewright reprice --listings listings.csv --skus skus.csv --rules rules.csv > prices.csv
`;

/**
 * The program without a database: `reprice`, `rules`, `policy`, the help, and the answer to a command that does not exist.
 * @param args the arguments after `pricewright`
 * @returns the exit code
 */
export async function mainCommand(args: readonly string[], io: CommandIo): Promise<number> {
  const [command, ...rest] = args;
  if (command === 'reprice') return repriceCommand(rest, io);
  if (command === 'rules') return rulesCommand(rest, io);
  if (command === 'policy') return policyCommand(rest, io);
  if (command === '--help' || command === '-h' || command === 'help') {
    await io.writeOut(HELP);
    return EXIT.ok;
  }
  if (command === undefined) {
    io.writeError(HELP);
    return EXIT.unusable;
  }
  const near = nearest(command, Object.keys(COMMANDS));
  const hint = near === null ? '' : ` Did you mean ${near}?`;
  io.writeError(`pricewright: unknown command ${quoted(command)}.${hint} See pricewright --help.\n`);
  return EXIT.unusable;
}
