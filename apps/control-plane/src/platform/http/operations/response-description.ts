import type { TSchema } from 'typebox';

import type { JsonSchema } from '../dto/documented.js';

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
