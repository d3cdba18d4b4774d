import type { ApiErrorCode } from '../errors/api-error.js';
import { NoFields } from '../dto/no-fields.dto.js';
import type { DtoClass } from '../dto/read-dto.js';
import type { Role } from '../pipeline/caller.js';
import type { Scope } from '../pipeline/scope.js';
import type { ResponseDescription } from './response-description.js';

/** The prefix of all paths. */
export const PREFIX = '/v1';

/**
 * The declaration of an operation: everything about a route of `/v1` except what its handler does. The route, the
 * guards, the OpenAPI document, the methods of the clients, `docs/reference/api.md` and the tests of roles, scopes and
 * tenancy are derived from it.
 */
export type Operation = PublicOperation | ProtectedOperation;

interface AnyOperation {
  /**
   * Never changes, because clients that are generated from the API description name their functions after it.
   */
  readonly id: string;
  readonly tag: Tag;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The path in Fastify's notation, such as `/v1/sync/jobs/:id`. */
  readonly path: string;
  /**
   * The method of a client: `resource.method`, in camelCase. Each language writes it in its own case. A method without
   * a dot belongs to the client itself. Null if clients do not offer the operation, because only agents call it.
   */
  readonly client: string | null;
  /** True if a client must not send the request again after a failure. */
  readonly isNeverRepeated?: true;
  /** A description of the operation as a predicate without a subject: "lists the sync jobs". */
  readonly summary: string;
  /** Further description in Markdown. */
  readonly description?: string;
  /** The parameters of the query. Without it, a request with any parameter is refused. */
  readonly query?: DtoClass;
  /** The fields of the body. Without it, a POST or PATCH may have no or an empty body. */
  readonly body?: DtoClass;
  /** The query and body of the example request. If this field is absent, that request has neither. */
  readonly example?: OperationExample;
  readonly response: ResponseDescription;
  /** Successful responses with another status than `status`. */
  readonly otherResponses?: Readonly<Record<number, ResponseDescription>>;
  /** Error codes that `refusalsOf` does not derive from the other fields. */
  readonly refusals?: readonly ApiErrorCode[];
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
  /**
   * True if the JSON body may have up to 32 MiB. The handler gets it as `UnreadBody`, and reads it in a worker thread
   * with the fields of `body`.
   */
  readonly hasLargeBody?: true;
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

/** A request that succeeds with the operation's `status`. Tests send it. */
export interface OperationExample {
  readonly query?: Readonly<Record<string, string | number>>;
  /** A JSON body, or the fields of a form. */
  readonly body?: Readonly<Record<string, unknown>>;
}

type Declaration = Declared<PublicOperation, 'status'> | Declared<ProtectedOperation, 'status' | 'calls'>;
type Declared<O extends Operation, HasDefault extends keyof O> = Omit<O, 'id' | 'tag' | HasDefault> &
  Partial<Pick<O, HasDefault>>;

/**
 * Declares the operations of a feature by their ids. Unless declared, the status of a success is 200, and the calls of
 * an operation that is not public are `counted`.
 */
export function operations<Id extends string>(
  tag: Tag,
  declarations: Readonly<Record<Id, Declaration>>,
): { readonly [Key in Id]: Operation & { readonly id: Key } } {
  const rows = Object.entries<Declaration>(declarations).map(([id, row]) => [
    id,
    { id, tag, status: 200, ...(row.role === 'public' ? {} : { calls: 'counted' }), ...row },
  ]);
  return Object.fromEntries(rows) as { readonly [Key in Id]: Operation & { readonly id: Key } };
}

/** Returns the fields of the operation's body, or undefined if a body is ignored. */
export function bodyOf({ body, method }: Operation): DtoClass | undefined {
  return body ?? (method === 'POST' || method === 'PATCH' ? NoFields : undefined);
}

/** Returns the example request. Its body is empty if the operation may have an empty one. */
export function exampleRequest(operation: Operation): OperationExample {
  return { ...(bodyOf(operation) === NoFields ? { body: {} } : {}), ...operation.example };
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
  | 'sync_job_revert'
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

/** Groups of operations, in the order in which the reference shows them. */
export const TAGS = {
  Generation: 'Generates synthetic records on demand. These requests are not metered.',
  Models: 'Data sources of generators: built-in models, uploaded models and models that agents trained.',
  Generators: 'Compositions that the organisation registered.',
  'Mock endpoints': 'URLs that respond with generated records.',
  'Sync jobs': 'Jobs that copy a database to another one and replace selected columns.',
  Snapshots: 'Archives of databases that agents store and can restore.',
  Organization: 'The organisation, its plan and its members.',
  Tokens: 'API tokens.',
  Agents: 'Programs that run jobs next to the databases.',
  Webhooks: 'Requests that notify your systems of events.',
  'Audit log': 'A record of all changes and of who made them.',
  Description: 'This document.',
} as const;
export type Tag = keyof typeof TAGS;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The operation of a route under `/v1`, set by `Handles`. */
    operation?: Operation | undefined;
  }
}
