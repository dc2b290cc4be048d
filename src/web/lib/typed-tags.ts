import { LONGEST_TAG, MAX_TAGS } from '#contract/labels.ts';

/** Maximum length of {@link tagsText}, with each tag in quotes and every character a quote. */
export const LONGEST_TAGS_TEXT = MAX_TAGS * (2 * LONGEST_TAG + '"", '.length);

/** Tags for a text field, separated by commas; a tag with a comma or a leading quote is in quotes. */
export function tagsText(tags: readonly string[]): string {
  return tags.map((tag) => (/^"|,/.test(tag) ? `"${tag.replaceAll('"', '""')}"` : tag)).join(', ');
}

/** Tags as typed, trimmed and without duplicates; the inverse of {@link tagsText}. */
export function typedTags(text: string): string[] {
  const tags = [...text.matchAll(/\s*(?:"((?:[^"]|"")*)"\s*(?=,|$)|([^,]*))(?:,|$)/g)].map(
    ([, quoted, plain]) => (quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"')).trim(),
  );
  return [...new Set(tags)].filter((tag) => tag !== '');
}
