/** Whether two sets have the same members. */
export function isSameSet<Member>(a: ReadonlySet<Member>, b: ReadonlySet<Member>): boolean {
  return a.size === b.size && [...a].every((member) => b.has(member));
}
