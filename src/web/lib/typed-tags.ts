import { LONGEST_TAG, MOST_TAGS } from '#contract/labels.ts';

/** Characters of {@link tagsText}, where each tag is in quotes and all its signs are quotes. */
export const LONGEST_TAGS_TEXT = MOST_TAGS * (2 * LONGEST_TAG + '"", '.length);

/** Tags for a text field, commas between: one with a comma of its own, or that begins with a quote, is in quotes. */
export function tagsText(tags: readonly string[]): string {
  return tags.map((tag) => (/^"|,/.test(tag) ? `"${tag.replaceAll('"', '""')}"` : tag)).join(', ');
}

/** Tags as typed, each once, without spaces around; reads what {@link tagsText} writes as it was. */
export function typedTags(text: string): string[] {
  const tags = [...text.matchAll(/\s*(?:"((?:[^"]|"")*)"\s*(?=,|$)|([^,]*))(?:,|$)/g)].map(
    ([, quoted, plain]) => (quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"')).trim(),
  );
  return [...new Set(tags)].filter((tag) => tag !== '');
}
