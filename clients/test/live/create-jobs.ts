import type { Player, PlayerResponse } from '../support/player.js';
import type { Connection } from './play-steps.js';
import { copyOf } from './steps/jobs.js';

/** The outcome of creating jobs with one client. */
export interface CreatedJobs {
  /** The id of each job by the name that the request gave it. */
  readonly ids: ReadonlyMap<string, string>;
  /** The errors of calls that did not return a job. */
  readonly errors: readonly CallError[];
  /** The number of attempts that the client repeated. */
  readonly repeated: number;
  /** Results that are not the requested job. */
  readonly wrong: readonly unknown[];
}

export type CallError = NonNullable<PlayerResponse['error']>;

/** The client divides its delays by 20, so that the test does not spend its time on waiting. */
const BACKOFF_SCALE = 0.05;
/** The chance that a call needs more repetitions is below 10⁻¹². */
const MAX_CALLS = 8;

/**
 * Creates jobs with one client, one after the other, without a pause. The client may keep its connections open.
 * If a call throws an error, the call is repeated with the idempotency key that the error carries.
 * @throws Error if an error carries no key, or if a job could not be created with several calls
 */
export async function createJobs(
  player: Player,
  connection: Connection,
  names: readonly string[],
): Promise<CreatedJobs> {
  const ids = new Map<string, string>();
  const errors: CallError[] = [];
  const wrong: unknown[] = [];
  let repeated = 0;
  for (const name of names) {
    let key: unknown;
    for (let call = 1; !ids.has(name); call += 1) {
      if (call > MAX_CALLS) throw new Error(`${name} was not created: ${JSON.stringify(errors.at(-1))}`);
      const response = await player.play({
        call: 'jobs.create',
        client: { ...connection, max_retries: 2 },
        keep_client: true,
        body: copyOf(name, 'customers'),
        ...(key === undefined ? {} : { options: { idempotency_key: key } }),
        real_backoff_scale: BACKOFF_SCALE,
      });
      repeated += (response.attempts?.length ?? 0) - 1;
      if (response.error) {
        errors.push(response.error);
        const carried = response.error['idempotency_key'];
        if (typeof carried !== 'string' || (key !== undefined && carried !== key))
          throw new Error(`expected an error with the key of the call: ${JSON.stringify(response.error)}`);
        key = carried;
      } else {
        const job = response.result as { id: string; name: string; status: string };
        if (job.name !== name || job.status !== 'pending') wrong.push(job);
        ids.set(name, job.id);
      }
    }
  }
  return { ids, errors, repeated, wrong };
}
