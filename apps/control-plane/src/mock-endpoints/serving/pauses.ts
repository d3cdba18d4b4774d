/** Waits that end early when the client has gone or the server stops. */
export class Pauses {
  private readonly running = new Set<() => void>();
  private ended = false;

  /** Resolves after so long, or earlier. */
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

  /** Ends all of them; from now on nobody waits. */
  end(): void {
    this.ended = true;
    for (const stop of this.running) stop();
  }
}
