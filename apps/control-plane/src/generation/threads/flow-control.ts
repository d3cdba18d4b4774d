const STOPPED = -1;

/**
 * How many chunks a thread may have sent, in memory that both sides see. The thread works without turning to its event
 * loop, so a message could not reach it.
 */
export class FlowControl {
  private readonly allowed: Int32Array;

  /** @param memory of the other side's flow control; a new one is made without */
  constructor(readonly memory = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.allowed = new Int32Array(memory);
  }

  /** Lets the thread send up to chunk number `chunks`, counted from the start. For one caller alone. */
  allow(chunks: number): void {
    if (!this.isStopped) this.set(chunks);
  }

  /** Ends the work at the next record. */
  stop(): void {
    this.set(STOPPED);
  }

  get isStopped(): boolean {
    return Atomics.load(this.allowed, 0) === STOPPED;
  }

  /** Blocks the thread until it may send the chunk after `sent` others. @returns false when the work is to end */
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
