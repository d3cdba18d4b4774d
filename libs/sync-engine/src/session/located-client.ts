import { type Client, queryWithErrors, type Session } from '@understudy/postgres/session';
import { type FailureContext, locatedError } from './guard.js';

/**
 * A client of one of a job's databases. An error of a query is a {@link SyncJobError} that has the side and, if the
 * client is at a table, the table. The driver's error is its cause.
 */
export interface LocatedClient extends Client {
  readonly context: FailureContext;
  /** The same connection with the driver's errors, for code that distinguishes them by their fields. */
  readonly plain: Client;
  /** Returns a client of the same connection for work on a table, or for work that belongs to no table. */
  at(tableIndex: number | undefined): LocatedClient;
  /** Returns a client of the same connection whose errors report other facts. */
  with(facts: Partial<FailureContext>): LocatedClient;
}

/** A session of a job whose client has located errors. */
export interface LocatedSession extends Session {
  readonly client: LocatedClient;
}

/** Creates a located client. It is a view of the client, so closing one of the two closes both. */
export function located(client: Client, context: FailureContext): LocatedClient {
  const withFacts = (facts: Partial<FailureContext>) => located(client, { ...context, ...facts });
  const own: Pick<LocatedClient, 'context' | 'plain' | 'at' | 'with' | 'query' | 'end'> = {
    context,
    plain: client,
    at: (tableIndex) => withFacts({ tableIndex }),
    with: withFacts,
    query: queryWithErrors(client, (error) => locatedError(context, error)),
    end: () => client.end(),
  };
  return Object.assign(Object.create(client) as Client, own);
}

/** Returns the session with a located client. */
export function locatedSession(session: Session, context: FailureContext): LocatedSession {
  return { ...session, client: located(session.client, context) };
}
