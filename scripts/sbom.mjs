import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { lockedPackages } from './locked-packages.mjs';
import { main, PlainError, root, run, say } from './project.mjs';

/**
 * Writes the software bill of materials, CycloneDX in JSON: what an installation without development tools brings.
 * npm makes it from package-lock.json alone, without the network.
 */
async function writeSbom() {
  const file = path.resolve(process.argv[2] ?? path.join(root, 'dist/sbom.cdx.json'));
  const args = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--silent'];
  const { code, output, error } = await run('npm', args, { capture: true });
  if (code !== 0) throw new PlainError(`npm could not write the bill of materials: ${error ?? output}`);
  const whole = JSON.parse(output.slice(output.indexOf('{')));
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(withoutTools(whole), null, 2)}\n`);
  say(`Wrote ${file}`);
}

/** npm's own way of leaving tools out, `--omit dev`, also leaves out packages that tools and product share. */
function withoutTools(whole) {
  const used = new Set(
    lockedPackages().flatMap(({ name, version, isDev }) => (isDev ? [] : [`${name}@${version}`])),
  );
  const components = whole.components.filter(({ name, version }) => used.has(`${name}@${version}`));
  const refs = new Set([whole.metadata.component['bom-ref'], ...components.map((each) => each['bom-ref'])]);
  const dependencies = whole.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }));
  return { ...whole, components, dependencies };
}

await main(writeSbom);
