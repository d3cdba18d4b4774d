import type { Static, TSchema } from 'typebox';

import type { ApiErrorCode } from '../http/errors/api-error.js';
import type { JsonSchema } from '../http/dto/documented.js';
import type { DtoClass } from '../http/dto/read-dto.js';

/** What the description of the API says of one operation beyond the table of operations and the DTOs it takes. */
export interface OperationDescription {
  readonly tag: Tag;
  /** Sentences in Markdown, after the table's summary. */
  readonly description?: string;
  readonly query?: DtoClass;
  readonly body?: DtoClass;
  /** Left out: a request without a query and without a body. */
  readonly example?: OperationExample;
  readonly answer: AnswerDescription;
  /** Refusals that not every operation has: see `refusalsOf`. */
  readonly refusals?: readonly ApiErrorCode[];
  /** Successes with another status than the table's. */
  readonly otherAnswers?: Readonly<Record<number, AnswerDescription>>;
}

/** A request that answers with the table's status. Tests send it. */
export interface OperationExample {
  readonly query?: Readonly<Record<string, string | number>>;
  /** As JSON, or the fields of a form. */
  readonly body?: Readonly<Record<string, unknown>>;
}

export type AnswerDescription = EnvelopeDescription | BareDescription;

/** Answers `{data, meta}`. */
export interface EnvelopeDescription {
  readonly says: string;
  readonly data: TSchema;
  readonly example: unknown;
  /** Keys of `meta` beyond those of every answer. */
  readonly meta?: {
    readonly properties: Readonly<Record<string, TSchema>>;
    readonly required: readonly string[];
  };
  readonly metaExample?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, HeaderDescription>>;
  /** Other forms of the same answer, without the envelope: media type → what it is. */
  readonly alternatives?: Readonly<
    Record<string, { readonly schema: JsonSchema; readonly example: unknown }>
  >;
}

/** Answers something else, or nothing. */
export interface BareDescription {
  readonly says: string;
  readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>>;
  readonly headers?: Readonly<Record<string, HeaderDescription>>;
}

export interface HeaderDescription {
  readonly description: string;
  readonly schema: JsonSchema;
  readonly required?: boolean;
}

/** Groups of operations, in the order in which the reference shows them. */
export const TAGS = {
  Generation: 'Synthetic records on demand. Never metered.',
  Models: 'Data sources of generators: built-in, uploaded, and trained by agents.',
  Generators: 'Compositions that the organisation registered.',
  'Mock endpoints': 'URLs that answer with what a schema generates.',
  'Sync jobs': 'Copies of a database to another one with selected columns replaced.',
  Snapshots: 'Databases as they were, kept by agents, to be restored into others.',
  Organization: 'The organisation, its plan and its members.',
  Tokens: 'API tokens.',
  Agents: 'The programs that run jobs next to the databases.',
  Webhooks: 'Requests to systems of yours when something happens.',
  'Audit log': 'Who did what.',
  Description: 'This document.',
} as const;
export type Tag = keyof typeof TAGS;

const names = new WeakMap<object, string>();

/**
 * A schema of answers that the document keeps by name. The compiler checks that what it describes is a `T`.
 * @example schemaOf<TokenResponse>('Token')(Type.Object({ id: Type.String() }))
 */
export const schemaOf =
  <T>(name: string) =>
  <S extends TSchema>(schema: Static<S> extends T ? S : never): S => {
    names.set(schema, name);
    return schema;
  };

export function nameOfSchema(schema: object): string | undefined {
  return names.get(schema);
}
