/** Delays that end early if the client disconnects or the server stops. */
export class Pauses {
  private readonly running = new Set<() => void>();
  private ended = false;

  /** Resolves after `ms` milliseconds, or earlier if `gone` is aborted or `end` is called. */
  pause(ms: number, gone: AbortSignal): Promise<void> {
    if (this.ended || gone.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const stop = (): void => {
        clearTimeout(timer);
        gone.removeEventListener('abort', stop);
        this.running.delete(stop);
        resolve();
      };
      const timer = setTimeout(stop, ms);
      gone.addEventListener('abort', stop);
      this.running.add(stop);
    });
  }

  /** Ends all delays. Later calls of `pause` resolve immediately. */
  end(): void {
    this.ended = true;
    for (const stop of this.running) stop();
  }
}
