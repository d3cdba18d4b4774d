const STOPPED = -1;

/** Thrown by a task whose FlowControl was stopped. */
export class TaskStopped extends Error {}

/**
 * Limits the number of chunks that a worker may have sent, in memory that both sides see. A message could not reach the
 * worker, because it works without returning to its event loop.
 */
export class FlowControl {
  private readonly allowed: Int32Array;

  /** @param memory the memory of the other side's flow control; new memory by default */
  constructor(readonly memory = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.allowed = new Int32Array(memory);
  }

  /** Lets the worker send up to chunk number `chunks`, counted from the start. Only one caller may use it. */
  allow(chunks: number): void {
    if (!this.isStopped) this.set(chunks);
  }

  /** Ends the task at the next record. */
  stop(): void {
    this.set(STOPPED);
  }

  get isStopped(): boolean {
    return Atomics.load(this.allowed, 0) === STOPPED;
  }

  /** Blocks the worker until it may send the chunk after `sent` others. @returns false when the task is to end */
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
