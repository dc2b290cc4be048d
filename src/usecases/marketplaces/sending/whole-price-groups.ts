/** A price of a listing, or its part in the price of a price group. */
interface OrderPart {
  /** The same for all members of a price group; null without one. */
  readonly groupOrder: string | null;
  /** How many parts the price of the group has. */
  readonly groupSize: number | null;
}

/**
 * Prices in their order, each price group with all of its members together, where the first of them is. A group of which a
 * member is missing is omitted: its price must not go out in parts.
 * @param limit at most so many, and the members of the last group beyond
 */
export function wholePriceGroups<Part extends OrderPart>(
  parts: readonly Part[],
  limit = Number.POSITIVE_INFINITY,
): Part[] {
  const groups = new Map<string, Part[]>();
  for (const part of parts) {
    if (part.groupOrder !== null) groups.set(part.groupOrder, [...(groups.get(part.groupOrder) ?? []), part]);
  }
  const whole: Part[] = [];
  for (const part of parts) {
    if (whole.length >= limit) break;
    if (part.groupOrder === null) {
      whole.push(part);
      continue;
    }
    const group = groups.get(part.groupOrder) ?? [];
    if (group[0] === part && group.length === part.groupSize) whole.push(...group);
  }
  return whole;
}
