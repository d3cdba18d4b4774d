/**
 * Ends an attempt after a time without progress, or when the caller's signal aborts. `stop` must be called at the
 * end of the attempt, so that no timer and no listener remains.
 */
export class Deadline {
  /** Whether the time was exceeded. */
  isExceeded = false;
  readonly #controller = new AbortController();
  readonly #milliseconds: number;
  readonly #callerSignal: AbortSignal | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @throws the reason of `callerSignal` if it has already aborted */
  constructor(seconds: number, callerSignal: AbortSignal | undefined) {
    callerSignal?.throwIfAborted();
    this.#milliseconds = seconds * 1000;
    this.#callerSignal = callerSignal;
    callerSignal?.addEventListener('abort', this.#abort, { once: true });
    this.start();
  }

  /** The signal for `fetch`. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether the caller ended the call. */
  get isCancelled(): boolean {
    return this.#callerSignal?.aborted === true;
  }

  /** The reason of the caller's signal. */
  get reason(): unknown {
    return this.#callerSignal?.reason;
  }

  /** Starts the time again. */
  start(): void {
    this.pause();
    this.#timer = setTimeout(() => {
      this.isExceeded = true;
      this.#controller.abort();
    }, this.#milliseconds);
  }

  /** Stops the time until the next `start`, for example while the caller processes a record. */
  pause(): void {
    clearTimeout(this.#timer);
  }

  stop(): void {
    this.pause();
    this.#callerSignal?.removeEventListener('abort', this.#abort);
  }

  readonly #abort = (): void => this.#controller.abort();
}
