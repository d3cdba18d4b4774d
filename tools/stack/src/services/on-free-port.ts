import { freePort } from '../processes/free-port.js';
import { StackError } from '../stack-error.js';

const ATTEMPTS = 3;

/**
 * Starts something on a free port. If another process takes the port before the start, tries another port.
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
        error instanceof StackError && /address already in use|EADDRINUSE/i.test(error.message);
      if (!lostTheRace || attempt === ATTEMPTS) throw error;
    }
  }
}
