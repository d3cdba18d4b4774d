/** How many of the ascending numbers are below `limit`, or with `or equal` not above it. Cost O(log n). */
export function countBelow(sorted: Float64Array, limit: number, ties?: 'or equal'): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = sorted[middle] as number;
    if (other < limit || (ties !== undefined && other === limit)) low = middle + 1;
    else high = middle;
  }
  return low;
}
