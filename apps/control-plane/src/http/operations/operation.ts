import type { Role } from '../pipeline/caller.js';
import type { Scope } from '../pipeline/scope.js';

/** One row of the table of operations: everything about a route of `/v1` that is not its work. */
export type Operation = PublicOperation | ProtectedOperation;

interface AnyOperation {
  /** Stable: clients generated from the API's description name their functions after it. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** As Fastify writes it: `/v1/sync/jobs/:id`. */
  readonly path: string;
  /** What it does, as a half sentence: "lists the sync jobs". */
  readonly summary: string;
  /** Of a success; a handler may set another one. */
  readonly status: 200 | 201 | 202;
  /** Of a success that goes on after the answer, where there is one besides. */
  readonly acceptedStatus?: 202;
  /** Where the thing made is found; `:id` stands for `data.id`, and likewise for other fields. */
  readonly location?: string;
  /** What the `:id` of the path names. */
  readonly resource?: Resource;
  /** What other parameters of the path name. */
  readonly parts?: Readonly<Record<string, Resource>>;
  /** `none`: nothing is different afterwards, so a POST of it needs no `Idempotency-Key`. */
  readonly effect?: 'none';
  /** Fields of `data` that are shown once. */
  readonly secrets?: readonly string[];
  /** Media type of the body, where it is not JSON. */
  readonly takes?: 'multipart/form-data';
}

/** Asks for no bearer token. */
export interface PublicOperation extends AnyOperation {
  readonly role: 'public';
}

export interface ProtectedOperation extends AnyOperation {
  /** The lowest role that may. */
  readonly role: Role;
  /** What a narrowed token must hold. */
  readonly scope: Scope;
  readonly calls: Calls;
}

/**
 * Whether an `Idempotency-Key` keeps it from being carried out twice. Operations without a caller spend a token that works
 * once.
 */
export function takesKey(operation: Operation): boolean {
  return operation.method === 'POST' && operation.role !== 'public' && operation.effect !== 'none';
}

/**
 * How a call counts for the plan's `api_calls`: `counted`, and refused when they are used · `always_served`: counted, and
 * served all the same, because one must still see and mend things then · `free`.
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
    /** Of routes under `/v1`. */
    operation?: Operation | undefined;
  }
}
