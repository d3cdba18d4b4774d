/**
 * The API as the emitters of the clients see it: named object types and a table of operations. It has no
 * `$ref`, no inline object and no JSON Schema keyword that a client does not use.
 */
export interface ApiModel {
  /** All named types, in the order of the first use, request types included. */
  readonly types: readonly ObjectType[];
  /** All operations that a client offers, in the order of the document. */
  readonly operations: readonly Operation[];
}

/** A JSON object with known fields. A response may contain more fields than these. */
export interface ObjectType {
  /** In PascalCase, for example `SyncJob` or `CreateSyncJobTable`. */
  readonly name: string;
  readonly doc: string;
  /** `request` types are only sent, `response` types are only received. */
  readonly usage: 'request' | 'response' | 'both';
  readonly fields: readonly Field[];
}

export interface Field {
  /** The name in JSON, in the query or in the path, for example `rows_processed`. */
  readonly name: string;
  readonly doc: string;
  readonly required: boolean;
  readonly type: Type;
  /** The example of the document. Only parameters of a path or a query have one. */
  readonly example?: unknown;
}

export type Type =
  /** `values` are the values that this version of the document knows. A client accepts any other text. */
  | { readonly kind: 'string'; readonly values?: readonly string[] }
  | { readonly kind: 'integer' | 'number' }
  /** `value` is set if the document knows only one value. */
  | { readonly kind: 'boolean'; readonly value?: boolean }
  | { readonly kind: 'list'; readonly of: Type }
  /** A JSON object with any keys. */
  | { readonly kind: 'map'; readonly of: Type }
  | { readonly kind: 'nullable'; readonly of: Type }
  /** An {@link ObjectType}. */
  | { readonly kind: 'object'; readonly name: string }
  /** One of several types. `merged` is set if all are objects: the name of a type with the fields of all of them. */
  | { readonly kind: 'union'; readonly of: readonly Type[]; readonly merged?: string }
  /** Any JSON value. */
  | { readonly kind: 'any' }
  /** The bytes of a file, in a multipart request or as the whole body of a response. */
  | { readonly kind: 'file' };

export interface Operation {
  /** The `operationId` of the document, for example `createSyncJob`. */
  readonly id: string;
  /** The method of a client as the document writes it: `resource.method`, or `method` of the client itself. */
  readonly clientMethod: string;
  /** The document's group of operations, for example `Sync jobs`. */
  readonly tag: string;
  /** The group of methods, for example `['jobs']` of `client.jobs`, as words. Empty for a method of the client itself. */
  readonly resource: readonly string[];
  /** The method's name as words, for example `['list', 'deliveries']`. */
  readonly method: readonly string[];
  readonly doc: string;
  readonly httpMethod: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Relative to the base URL, with placeholders, for example `/sync/jobs/{id}`. */
  readonly path: string;
  /** The parameters of the path in their order. */
  readonly pathParameters: readonly Field[];
  readonly query: readonly Field[];
  readonly body?: { readonly kind: 'json' | 'multipart'; readonly type: ObjectType };
  /** The type of `data` in the response, or of the whole body if `enveloped` is false. */
  readonly result: Type;
  readonly enveloped: boolean;
  /** Set if the response is one page of a list. */
  readonly page?: { readonly itemsField: string; readonly item: Type };
  readonly retry: Retry;
  /** Whether the operation accepts an `Idempotency-Key`. The client then always sends one. */
  readonly idempotencyKey: boolean;
  /** Whether the operation needs no token. The client then sends none. */
  readonly public: boolean;
  /** `generate` is hand-written in each client, because its response is a stream. */
  readonly streams: boolean;
  /** The example request body of the document. */
  readonly example?: unknown;
}

/**
 * When an attempt may be repeated. `always`: the request has the same effect if it is carried out twice, or it
 * has an idempotency key. `beforeFirstByte`: until the first byte of the response body. `never`: a repetition could
 * have another effect.
 */
export type Retry = 'always' | 'beforeFirstByte' | 'never';
