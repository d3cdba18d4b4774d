import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../support/languages.js';

/** The parts of docs/reference/openapi.json that the tests of the pages read. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
}

export interface OperationObject {
  readonly operationId: string;
  /** Absent if only agents call the operation. */
  readonly 'x-client-method'?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { content: Record<string, MediaType> };
  readonly responses: Readonly<Record<string, { readonly content?: Record<string, MediaType> }>>;
  /** Absent or empty if the operation needs no token. */
  readonly security?: readonly unknown[];
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly schema: { readonly type?: string };
  readonly example?: unknown;
}

interface MediaType {
  readonly schema: object;
  example?: unknown;
}

/** An operation with its place in the document. */
export interface DocumentedOperation extends OperationObject {
  readonly template: string;
  /** In lower case. */
  readonly method: string;
}

export const readDocument = (): ApiDocument =>
  JSON.parse(readFileSync(join(ROOT, 'docs/reference/openapi.json'), 'utf8')) as ApiDocument;

/** Replaces the example of `generate`. */
export function withGenerateExample(
  document: ApiDocument,
  request: object,
  records: readonly object[],
): ApiDocument {
  const copy = structuredClone(document);
  const { requestBody, responses } = copy.paths['/generate']?.['post'] ?? {};
  const sent = requestBody?.content['application/json'];
  const received = responses?.['200']?.content?.['application/json'];
  if (!sent || !received) throw new Error('expected the operation generate in the API document');
  sent.example = request;
  received.example = { data: { records, count: records.length, seed: 1 } };
  return copy;
}

/** Returns all operations by their id. */
export function operationsOf(document: ApiDocument): ReadonlyMap<string, DocumentedOperation> {
  const operations = Object.entries(document.paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, object]) => ({ ...object, template, method })),
  );
  return new Map(operations.map((operation) => [operation.operationId, operation]));
}
