import type { Role } from '../pipeline/caller.js';
import type { Scope } from '../pipeline/scope.js';

/** One row of the table of operations. It contains everything about a route of `/v1` except its handler. */
export type Operation = PublicOperation | ProtectedOperation;

interface AnyOperation {
  /**
   * Never changes, because clients that are generated from the API description name their functions after it.
   */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The path in Fastify's notation, such as `/v1/sync/jobs/:id`. */
  readonly path: string;
  /** A description of the operation as a predicate without a subject: "lists the sync jobs". */
  readonly summary: string;
  /** The status of a success. A handler may set another one. */
  readonly status: 200 | 201 | 202;
  /**
   * The status of a success if its work continues after the response. Absent if the work always ends before
   * the response.
   */
  readonly acceptedStatus?: 202;
  /**
   * The path of the created resource. Each parameter is replaced by the field of `data` that has the same
   * name: `:id` is replaced by `data.id`.
   */
  readonly location?: string;
  /** The kind of resource that `:id` in the path identifies. */
  readonly resource?: Resource;
  /** The kinds of resources that the other parameters of the path identify. */
  readonly parts?: Readonly<Record<string, Resource>>;
  /** `none`: the operation changes nothing, so a POST needs no `Idempotency-Key`. */
  readonly effect?: 'none';
  /** The fields of `data` that are shown only once. */
  readonly secrets?: readonly string[];
  /** The media type of the body, if it is not JSON. */
  readonly takes?: 'multipart/form-data';
}

/** An operation that needs no bearer token. */
export interface PublicOperation extends AnyOperation {
  readonly role: 'public';
  /** The agent's key signs the request. The request is then counted for the agent, not for its address. */
  readonly signedBy?: 'agent';
}

export interface ProtectedOperation extends AnyOperation {
  /** The lowest role that may call the operation. */
  readonly role: Role;
  /** The scope that a restricted token must have. Null if every token may call the operation. */
  readonly scope: Scope | null;
  readonly calls: Calls;
}

/**
 * Returns whether an `Idempotency-Key` prevents the operation from running twice. Public operations take no
 * key, because each of them consumes a one-time token or nonce, or only reads data.
 */
export function takesKey(operation: Operation): boolean {
  return operation.method === 'POST' && operation.role !== 'public' && operation.effect !== 'none';
}

/**
 * How a call counts towards the plan's `api_calls`.
 * - `counted`: the call counts, and is refused after the limit is reached.
 * - `always_served`: the call counts, but is never refused, so that you can still inspect and correct your
 *   resources.
 * - `free`: the call does not count.
 */
export type Calls = 'counted' | 'always_served' | 'free';

export type Resource =
  | 'sync_job'
  | 'snapshot'
  | 'snapshot_restore'
  | 'agent'
  | 'enrolment_token'
  | 'token'
  | 'member'
  | 'model'
  | 'generator'
  | 'mock_endpoint'
  | 'webhook'
  | 'webhook_delivery';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The operation of a route under `/v1`. */
    operation?: Operation | undefined;
  }
}
