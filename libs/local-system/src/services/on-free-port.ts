import { freePort } from '../processes/free-port.js';
import { LocalSystemError } from '../local-system-error.js';

const ATTEMPTS = 3;

/**
 * Calls `start` with a free port. If another process takes the port before the start, tries two other ports.
 */
export async function onFreePort<T>(
  preferred: number | undefined,
  start: (port: number) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start(await freePort(attempt === 1 ? preferred : undefined));
    } catch (error) {
      const lostTheRace =
        error instanceof LocalSystemError && /address already in use|EADDRINUSE/i.test(error.message);
      if (!lostTheRace || attempt === ATTEMPTS) throw error;
    }
  }
}
