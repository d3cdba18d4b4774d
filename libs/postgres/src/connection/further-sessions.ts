import { setMaxListeners } from 'node:events';
import type { SessionLimit } from '@understudy/sync-job';
import { connect, disconnect } from './connect.js';
import { DatabaseError } from '../errors/database-error.js';
import { asSession, type Session } from './session.js';

/** How many further sessions a database gave at once, and what limits them. */
export interface FurtherSessions {
  readonly opened: number;
  /** Present if fewer sessions were opened than wanted. */
  readonly limit?: SessionLimit;
  /** The sessions that stay open. */
  readonly kept: readonly Session[];
}

export interface FurtherRequest extends Readonly<Record<'wanted' | 'least' | 'waitMs', number>> {
  /** The `application_name` of the sessions. */
  readonly name?: string | undefined;
  /** The number of sessions to keep open if the database gives all that are wanted. Default: 0. */
  readonly keep?: number;
}

/**
 * Opens further sessions at once, counts them, and closes those that are not to be kept. A pooler lets clients wait for
 * a session, so only opening shows how many there are. The function waits for the `least` sessions for `waitMs`, and at
 * most three seconds for the others.
 * @throws DatabaseError if a session fails for another reason than `sessions_exhausted`
 */
export async function openFurther(
  { target, side }: Pick<Session, 'target' | 'side'>,
  { wanted, least, waitMs, name, keep = 0 }: FurtherRequest,
): Promise<FurtherSessions> {
  const enough = new AbortController();
  setMaxListeners(wanted, enough.signal);
  let opened = 0;
  let isWaitingForOthers = true;
  const stopIfEnough = () => {
    if (!isWaitingForOthers && opened >= least) enough.abort();
  };
  const opening = Array.from({ length: wanted }, async () => {
    const client = await connect(target, side, name, enough.signal, (session) => session.query(FIRST));
    opened += 1;
    stopIfEnough();
    return client;
  });
  const timer = setTimeout(
    () => {
      isWaitingForOthers = false;
      stopIfEnough();
    },
    Math.min(OTHERS_WAIT_MS, waitMs),
  );
  const limit = setTimeout(() => {
    enough.abort();
  }, waitMs);
  const results = await Promise.allSettled(opening);
  clearTimeout(timer);
  clearTimeout(limit);
  const clients = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const keeping = opened === wanted ? clients.splice(0, keep) : [];
  await Promise.all(clients.map(disconnect));
  const kept = await Promise.all(keeping.map((client) => asSession(client, { target, side }))).catch(
    async (error: unknown) => {
      await Promise.all(keeping.map(disconnect));
      throw error;
    },
  );
  if (opened === wanted) return { opened, kept };
  const failures = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  );
  const other = failures.find((failure) => limitOf(failure) === undefined);
  if (other !== undefined && !enough.signal.aborted) throw other;
  return { opened, kept, limit: failures.map(limitOf).find((limit) => limit !== undefined) ?? 'pool_size' };
}

function limitOf(failure: unknown): SessionLimit | undefined {
  return failure instanceof DatabaseError ? failure.sessionLimit : undefined;
}

/** A pooler assigns a session to a client at its first statement. */
const FIRST = 'SELECT';
const OTHERS_WAIT_MS = 3_000;
