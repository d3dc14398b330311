/** JSON in which equal values are equal texts, because the keys of every object are sorted. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0)))
      : each,
  );
}
