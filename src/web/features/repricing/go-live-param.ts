/**
 * Which marketplaces the address asks to go live on; undefined when it does not ask.
 * `arm` is what the parameter was called in bookmarks and emails of earlier releases.
 */
export function goLiveParam(params: Readonly<Record<string, string | undefined>>): string | undefined {
  return params['go-live'] ?? params.arm;
}
