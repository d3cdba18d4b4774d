/** A timer with a longer time would fire immediately. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * The clock and the randomness of the client. Tests replace them.
 * @internal
 */
export const runtime = {
  /** Returns the time in milliseconds since 1970. */
  now: (): number => Date.now(),

  /** Returns a number from 0 to 1, exclusive. */
  random: (): number => Math.random(),

  /** Waits for a time in seconds. Rejects with the reason of the signal if the signal aborts. */
  sleep(seconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        },
        Math.min(seconds * 1000, LONGEST_TIMER_MS),
      );
      const onAbort = (): void => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      if (signal?.aborted) onAbort();
      else signal?.addEventListener('abort', onAbort, { once: true });
    });
  },
};

interface RuntimeGlobals {
  readonly process?: {
    readonly env?: Readonly<Record<string, string | undefined>>;
    readonly versions?: Readonly<Record<string, string | undefined>>;
    readonly getBuiltinModule?: (name: string) => unknown;
  };
}

/** The global `process` of Node.js and compatible runtimes. A browser has none. */
export const currentProcess = (): NonNullable<RuntimeGlobals['process']> =>
  (globalThis as RuntimeGlobals).process ?? {};

/** Creates a random UUID. `crypto.randomUUID` exists only on pages that were loaded over HTTPS. */
export function randomUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
