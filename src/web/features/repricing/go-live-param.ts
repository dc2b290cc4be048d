/**
 * The marketplaces in the go-live parameter; undefined without one.
 * `arm` is the name of the parameter in bookmarks and emails of earlier releases.
 */
export function goLiveParam(params: Readonly<Record<string, string | undefined>>): string | undefined {
  return params['go-live'] ?? params.arm;
}
