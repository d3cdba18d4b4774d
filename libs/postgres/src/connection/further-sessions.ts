import { setMaxListeners } from 'node:events';
import type { SessionLimit } from '@understudy/sync-job';
import { connect, disconnect } from './connect.js';
import { DatabaseError } from '../errors/database-error.js';
import type { Client, Session } from './session.js';

/** Sessions that a database gave at once, and what limits them. */
export interface FurtherSessions {
  /** The sessions, which only have had a statement without effect. The caller closes them. */
  readonly clients: readonly Client[];
  /** Present if fewer sessions were opened than wanted. */
  readonly limit?: SessionLimit;
}

export interface FurtherRequest extends Readonly<Record<'wanted' | 'least' | 'waitMs', number>> {
  /** The `application_name` of the sessions. */
  readonly name?: string | undefined;
}

/**
 * Opens further sessions at once. A pooler lets clients wait for a session, so only opening shows how many there are.
 * The function waits for the `least` sessions for `waitMs`, and at most three seconds for the others.
 * @throws DatabaseError if a session fails for another reason than `sessions_exhausted`. All sessions are closed then
 */
export async function openFurther(
  { target, side }: Pick<Session, 'target' | 'side'>,
  { wanted, least, waitMs, name }: FurtherRequest,
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
  if (opened === wanted) return { clients };
  const failures = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  );
  const other = failures.find((failure) => limitOf(failure) === undefined);
  if (other !== undefined && !enough.signal.aborted) {
    await Promise.all(clients.map(disconnect));
    throw other;
  }
  return { clients, limit: failures.map(limitOf).find((limit) => limit !== undefined) ?? 'pool_size' };
}

function limitOf(failure: unknown): SessionLimit | undefined {
  return failure instanceof DatabaseError ? failure.sessionLimit : undefined;
}

/** A pooler assigns a session to a client at its first statement. */
const FIRST = 'SELECT';
const OTHERS_WAIT_MS = 3_000;
