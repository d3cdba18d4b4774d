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
  client.query = queryWithErrors(client, (error) => {
    if (typeof error === 'object' && error !== null) sides.set(error, side);
    return error;
  });
}

/** Returns the client's `query`, but each error of a query is replaced by the result of `replace`. */
export function queryWithErrors(client: Client, replace: (error: unknown) => unknown): Client['query'] {
  const query = client.query.bind(client) as (...args: readonly unknown[]) => unknown;
  return ((...args: readonly unknown[]) => {
    const [first] = args;
    if (isErrorReceiver(first)) replaceErrorsOf(first, replace);
    const result = query(...args);
    if (!(result instanceof Promise)) return result;
    return result.catch((error: unknown) => {
      throw replace(error);
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

function replaceErrorsOf(query: ErrorReceiver, replace: (error: unknown) => unknown): void {
  const handle = query.handleError.bind(query);
  query.handleError = (error, ...more) => {
    handle(replace(error), ...more);
  };
}

/** Returns the SQLSTATE of an error, or of the driver's error that is its cause. */
export function sqlstateOf(error: unknown): unknown {
  const { code, cause } = (error ?? {}) as { readonly code?: unknown; readonly cause?: unknown };
  return code ?? ((cause ?? {}) as { readonly code?: unknown }).code;
}
