import type { Client } from 'pg';
import type { DatabaseSide } from '@understudy/sync-job';

const sides = new WeakMap<object, DatabaseSide>();

/** Returns the side of the connection whose query failed with this error; undefined for all other errors. */
export function sideOfError(error: unknown): DatabaseSide | undefined {
  return typeof error === 'object' && error !== null ? sides.get(error) : undefined;
}

/**
 * Records the side of each error of the connection's queries, so that {@link sideOfError} can return it. Changes no
 * error, because callers read the fields of the driver's errors.
 */
export function recordErrors(client: Client, side: DatabaseSide): void {
  const record = (error: unknown) => {
    if (typeof error === 'object' && error !== null) sides.set(error, side);
  };
  const query = client.query.bind(client) as (...args: readonly unknown[]) => unknown;
  client.query = ((...args: readonly unknown[]) => {
    const [first] = args;
    if (isErrorReceiver(first)) recordErrorsOf(first, record);
    const result = query(...args);
    if (!(result instanceof Promise)) return result;
    return result.catch((error: unknown) => {
      record(error);
      throw error;
    });
  }) as Client['query'];
}

/** A query that the driver passes its errors to, such as COPY. */
interface ErrorReceiver {
  handleError(error: unknown, ...more: readonly unknown[]): void;
}

function isErrorReceiver(query: unknown): query is ErrorReceiver {
  return typeof (query as Partial<ErrorReceiver> | undefined)?.handleError === 'function';
}

function recordErrorsOf(query: ErrorReceiver, record: (error: unknown) => void): void {
  const handle = query.handleError.bind(query);
  query.handleError = (error, ...more) => {
    record(error);
    handle(error, ...more);
  };
}
