/** One thread masks about as fast as two pairs of connections move rows. */
const MOST = 4;

/**
 * Pure: how many threads of a job mask, unless somebody says otherwise. The agent's own thread has the moving to do, and a server that is on
 * the same machine its part: on two cores a thread more was slower (docs/performance.md).
 * @param cores of the machine
 */
export function defaultMaskingThreads(cores: number): number {
  return Math.min(MOST, Math.max(0, cores - 2));
}
