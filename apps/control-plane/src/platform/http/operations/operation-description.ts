import type { TSchema } from 'typebox';

import type { ApiErrorCode } from '../errors/api-error.js';
import type { JsonSchema } from '../dto/documented.js';
import type { DtoClass } from '../dto/read-dto.js';

/** Describes an operation for the OpenAPI document, in addition to the table of operations and the request DTOs. */
export interface OperationDescription {
  readonly tag: Tag;
  /** Description in Markdown, shown after the summary from the table of operations. */
  readonly description?: string;
  readonly query?: DtoClass;
  readonly body?: DtoClass;
  /** The query and body of the example request. If this field is absent, that request has neither. */
  readonly example?: OperationExample;
  readonly response: ResponseDescription;
  /** Error codes that `refusalsOf` does not derive from the table of operations. */
  readonly refusals?: readonly ApiErrorCode[];
  /** Successful responses whose status differs from the one in the table of operations. */
  readonly otherResponses?: Readonly<Record<number, ResponseDescription>>;
}

/** A request that succeeds with the status in the table of operations. Tests send it. */
export interface OperationExample {
  readonly query?: Readonly<Record<string, string | number>>;
  /** A JSON body, or the fields of a form. */
  readonly body?: Readonly<Record<string, unknown>>;
}

export type ResponseDescription = EnvelopeDescription | BareDescription;

/** Describes a response with the envelope `{data, meta}`. */
export interface EnvelopeDescription {
  readonly description: string;
  readonly data: TSchema;
  readonly example: unknown;
  /** Keys of `meta` in addition to those of every response. */
  readonly meta?: {
    readonly properties: Readonly<Record<string, TSchema>>;
    readonly required: readonly string[];
  };
  readonly metaExample?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, HeaderDescription>>;
  /** Other representations of the same response by media type. They have no envelope. */
  readonly alternatives?: Readonly<
    Record<string, { readonly schema: JsonSchema; readonly example: unknown }>
  >;
}

/** Describes a response without the envelope, or without a body. */
export interface BareDescription {
  readonly description: string;
  readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>>;
  readonly headers?: Readonly<Record<string, HeaderDescription>>;
  /** Whether the handler sends an `ETag`. Every GET response with an envelope has one. */
  readonly isTagged?: true;
}

export interface HeaderDescription {
  readonly description: string;
  readonly schema: JsonSchema;
  readonly required?: boolean;
}

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
