/**
 * The name of a call for programs that are generated from the description: "putListingsByIdPrice" for
 * "PUT /api/listings/:id/price". It follows from the address, so that it changes only with it.
 */
export function operationIdOf(call: string): string {
  const [method = '', path = ''] = call.split(' ');
  const words = path
    .replace(/^\/api(?=\/)/, '')
    .replaceAll(/:(\w+)/g, (_, name: string) => `by-${name}`)
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
