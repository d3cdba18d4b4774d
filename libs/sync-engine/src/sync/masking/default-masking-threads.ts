/** One thread masks about as fast as two pairs of connections move rows; the agent's own has the moving to do. */
const MOST = 4;

/** Pure: how many threads of a job mask, unless somebody says otherwise. @param cores of the machine */
export function defaultMaskingThreads(cores: number): number {
  return Math.min(MOST, Math.max(0, cores - 1));
}
