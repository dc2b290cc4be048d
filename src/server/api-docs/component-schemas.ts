/** A part of an OpenAPI document: JSON. */
type Part = Readonly<Record<string, unknown>>;
type Schemas = Readonly<Record<string, Part>>;

const PREFIX = '#/components/schemas/';
const SUFFIX = 'Input';

/** The names of the schemas that a part refers to. */
function namesIn(part: unknown): string[] {
  return [...JSON.stringify(part ?? null).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(
    ([, name]) => name ?? '',
  );
}

/** A part in which schemas have other names; those that are not listed keep theirs. */
function renamed<Of>(part: Of, names: ReadonlyMap<string, string>): Of {
  return JSON.parse(JSON.stringify(part), (key, value) =>
    key === '$ref' && typeof value === 'string' && value.startsWith(PREFIX)
      ? `${PREFIX}${names.get(value.slice(PREFIX.length)) ?? value.slice(PREFIX.length)}`
      : value,
  );
}

/** The names that some call refers to, at any depth. */
function usedNames(paths: Part, schemas: Schemas): Set<string> {
  const used = new Set<string>();
  const left = namesIn(paths);
  for (let name = left.pop(); name !== undefined; name = left.pop()) {
    if (used.has(name)) continue;
    used.add(name);
    left.push(...namesIn(schemas[name]));
  }
  return used;
}

/**
 * Every schema of a request is described as "RuleInput", next to "Rule" of a response. The suffix goes where only one of
 * the two is used, or where both accept the same.
 */
function shorterNames(used: ReadonlySet<string>, schemas: Schemas, known: ReadonlySet<string>) {
  const names = new Map<string, string>();
  for (const name of used) {
    const short = name.slice(0, -SUFFIX.length);
    if (name.endsWith(SUFFIX) && known.has(short)) names.set(name, short);
  }
  // One that differs keeps its suffix, and so do those that contain it.
  for (let differs = true; differs; ) {
    differs = false;
    for (const [name, short] of names) {
      if (!used.has(short) || isSame(renamed(schemas[name], names), renamed(schemas[short], names))) continue;
      names.delete(name);
      differs = true;
    }
  }
  return names;
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/**
 * Keeps the schemas that calls refer to, each under its name in the contract where that is clear.
 * @param known the names of schemas in the contract
 */
export function tidySchemas(
  paths: Part,
  schemas: Schemas,
  known: ReadonlySet<string>,
): { readonly paths: Part; readonly schemas: Schemas } {
  const used = usedNames(paths, schemas);
  const names = shorterNames(used, schemas, known);
  const kept = [...used].map((name) => [names.get(name) ?? name, renamed(schemas[name], names)] as const);
  return {
    paths: renamed(paths, names),
    schemas: Object.fromEntries(
      kept.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, schema]) => [name, schema ?? {}]),
    ),
  };
}
