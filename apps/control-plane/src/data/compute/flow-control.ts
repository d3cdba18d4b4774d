const STOPPED = -1;

/** A task ended because its FlowControl was stopped. */
export class TaskStopped extends Error {}

/**
 * Limits the number of chunks that a worker may send. The limit is in shared memory, because a worker cannot
 * receive messages during a task: it does not return to its event loop.
 */
export class FlowControl {
  private readonly allowed: Int32Array;

  /**
   * @param memory the shared memory of the FlowControl in the other thread; if absent, new shared memory is
   *   allocated
   */
  constructor(readonly memory = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.allowed = new Int32Array(memory);
  }

  /**
   * Allows the worker to send `chunks` chunks in total. Each call replaces the previous limit, so only one
   * caller may use this method.
   */
  allow(chunks: number): void {
    if (!this.isStopped) this.set(chunks);
  }

  /** Asks the task to end before the next record. */
  stop(): void {
    this.set(STOPPED);
  }

  get isStopped(): boolean {
    return Atomics.load(this.allowed, 0) === STOPPED;
  }

  /**
   * Blocks the worker until it may send another chunk.
   * @param sent number of chunks that were sent before
   * @returns false if the task must end
   */
  waitUntilAllowed(sent: number): boolean {
    for (;;) {
      const allowed = Atomics.load(this.allowed, 0);
      if (allowed === STOPPED) return false;
      if (sent < allowed) return true;
      Atomics.wait(this.allowed, 0, allowed);
    }
  }

  private set(value: number): void {
    Atomics.store(this.allowed, 0, value);
    Atomics.notify(this.allowed, 0);
  }
}
