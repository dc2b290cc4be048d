/** Sum of the known amounts, in whole cents, so that it is no fraction of a cent off; null without a known amount. */
export function sumOf(amounts: readonly (string | null)[]): string | null {
  const known = amounts.filter((amount) => amount !== null);
  if (known.length === 0) return null;
  return (known.reduce((sum, amount) => sum + Math.round(Number(amount) * 100), 0) / 100).toFixed(2);
}
