export type Json = Record<string, unknown>;

/** What an entry of a document leads to by its references, and the place of that: "amazon/feeds.json#/definitions/Feed". */
export function resolved(document: Json, entry: Json, place: string): readonly [Json, string] {
  if (typeof entry.$ref !== 'string') return [entry, place];
  const pointer = entry.$ref.replace(/^#/, '');
  let node: unknown = document;
  for (const part of pointer.split('/').slice(1)) {
    node = (node as Json)[decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return resolved(document, node as Json, place.replace(/#.*/, `#${pointer}`));
}
