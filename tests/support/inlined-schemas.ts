const PREFIX = '#/components/schemas/';

/** A description of the API in which each named schema is written out wherever it is referred to. */
export function inlined<Description extends object>(description: Description): Description {
  const { schemas = {} } =
    (description as { components?: { schemas?: Record<string, unknown> } }).components ?? {};
  const whole = new Map<string, unknown>();
  const written = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(written);
    if (typeof part !== 'object' || part === null) return part;
    const { $ref } = part as { $ref?: unknown };
    if (typeof $ref !== 'string')
      return Object.fromEntries(Object.entries(part).map(([name, each]) => [name, written(each)]));
    const name = $ref.slice(PREFIX.length);
    if (!(name in schemas)) throw new Error(`The description has no schema ${name}.`);
    if (!whole.has(name)) whole.set(name, written(schemas[name]));
    return whole.get(name);
  };
  return { ...description, ...(written({ ...description, components: undefined }) as Description) };
}
