export type Json = Record<string, unknown>;

/** The target of an entry's references and its place: "amazon/feeds.json#/definitions/Feed". */
export function resolved(document: Json, entry: Json, place: string): readonly [Json, string] {
  if (typeof entry.$ref !== 'string') return [entry, place];
  const pointer = entry.$ref.replace(/^#/, '');
  let node: unknown = document;
  for (const part of pointer.split('/').slice(1)) {
    node = (node as Json)[decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return resolved(document, node as Json, place.replace(/#.*/, `#${pointer}`));
}
