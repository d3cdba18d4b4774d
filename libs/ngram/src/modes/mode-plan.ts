import type { ByteSink } from '@understudy/bytes';
import type { RandomStream } from '@understudy/random';

/** Draws values of one mode. Serves one thread; not re-entrant. */
export interface ModePlan {
  /** Bytes of the plan's tables; what it shares with the model and other plans is counted. */
  readonly byteLength: number;
  /** How often each of the values it draws from was seen, in no order; undefined where values are made. */
  readonly counts?: readonly number[];
  /**
   * One value: a pure function of `random`, which alone is advanced. Null where no training value matches (mode
   * `real_word` alone).
   * @throws AttemptsExhaustedError when no draw was acceptable · TextTooLongError beyond 65,536 code points
   */
  sample(random: RandomStream): string | null;
  /** As that of a `WordPlan`. */
  readonly write?: (random: RandomStream, out: ByteSink) => boolean;
}
