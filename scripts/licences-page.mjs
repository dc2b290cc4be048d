import { lockedPackages } from './locked-packages.mjs';

const INTRODUCTION = `# What Pricewright is made of

Every package that an installation without development tools brings, from \`package-lock.json\`, with the licence its
own package names. Made by \`npm run licences\`; a test fails when it is out of date, or when a licence is none of those
that let anybody use, change and pass on what they cover. Some packages are for one kind of machine and are left out
elsewhere.`;

/** The text of docs/licences.md as it has to be. */
export function licencesPage() {
  const rows = new Set(
    lockedPackages()
      .filter(({ isDev }) => !isDev)
      .sort((a, b) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1))
      .map(({ name, version, licence }) => JSON.stringify([name, version, licence])),
  );
  return `${INTRODUCTION}\n\n${tableOf(['Package', 'Version', 'Licence'], [...rows].map((row) => JSON.parse(row)))}\n`;
}

/** A table of Markdown, its columns under each other as the formatter wants them. */
function tableOf(head, rows) {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column].length)));
  const line = (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
