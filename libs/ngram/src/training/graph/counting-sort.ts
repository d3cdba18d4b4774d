/**
 * The indexes of items, sorted by group. The items of group g are `sorted[first[g]]` to
 * `sorted[first[g + 1] - 1]`.
 */
export interface Groups {
  readonly first: Uint32Array;
  readonly sorted: Uint32Array;
}

/**
 * Sorts the indexes of `groupOf` by group, and ascending within a group. Takes O(items + groups).
 * @param groupOf the group of each item, below `groupCount`
 */
export function countingSort(groupOf: Uint32Array, groupCount: number): Groups {
  const first = new Uint32Array(groupCount + 1);
  for (let item = 0; item < groupOf.length; item += 1) {
    const at = (groupOf[item] as number) + 1;
    first[at] = (first[at] as number) + 1;
  }
  for (let i = 1; i <= groupCount; i += 1) first[i] = (first[i] as number) + (first[i - 1] as number);
  const next = first.slice();
  const sorted = new Uint32Array(groupOf.length);
  for (let item = 0; item < groupOf.length; item += 1) {
    const group = groupOf[item] as number;
    const at = next[group] as number;
    sorted[at] = item;
    next[group] = at + 1;
  }
  return { first, sorted };
}
