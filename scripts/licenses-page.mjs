import { lockedPackages } from './locked-packages.mjs';

const INTRODUCTION = `# What Pricewright is made of

Every package that an installation without development tools brings, from \`package-lock.json\`, with the license its
own package names. Made by \`npm run licenses\`; a test fails when it is out of date, or when a license is none of those
that let anybody use, change and pass on what they cover. Some packages are for one kind of machine and are left out
elsewhere.`;

/** The text of tests/architecture/licenses.md as it has to be. */
export function licensesPage() {
  const rows = lockedPackages()
    .filter(({ isDev }) => !isDev)
    .map(({ name, version, license }) => [name, version, String(license)])
    .sort((a, b) => (`${a}` < `${b}` ? -1 : 1));
  return `${INTRODUCTION}\n\n${table([['Package', 'Version', 'License'], ...rows]).join('\n')}\n`;
}

/** Lines of a Markdown table; duplicate rows appear once. */
function table([head, ...rows]) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...new Set(rows.map(line))];
}
