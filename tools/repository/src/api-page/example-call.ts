import type { Json, JsonObject } from '@understudy/code-snippets';

import type { Operation } from '../clients/api-model.js';
import { objectName } from '../clients/named-types.js';

/** The example request of an operation. All snippets of the operation send it. */
export interface ExampleCall {
  readonly operation: Operation;
  /** The values of the path's placeholders in their order. */
  readonly path: readonly string[];
  readonly query: JsonObject;
  /** The fields of the body without those of type `file`. Empty if the operation has no body. */
  readonly body: JsonObject;
  /** The field of a multipart body that contains a file. */
  readonly file?: string;
  /** A name for the result in code, or nothing if the result only confirms the deletion. */
  readonly result?: string;
}

/** The file that examples upload or download. */
export const EXAMPLE_FILE = 'street-names.ngram';

/** @throws Error if the document has no example for a parameter of the path or for the body */
export function exampleCall(operation: Operation): ExampleCall {
  const path = operation.pathParameters.map(({ name, example }) => {
    if (typeof example !== 'string') throw new Error(`${operation.id}: expected an example of ${name}`);
    return example;
  });
  // Only filters and the size of a page are shown. A page number has no use in an example of one page.
  const query = operation.query.filter(({ name, example }) => example !== undefined && name !== 'page');
  const fields = operation.body?.type.fields ?? [];
  if (fields.length > 0 && typeof operation.example !== 'object')
    throw new Error(`${operation.id}: expected an example of the body`);
  const file = fields.find(({ type }) => type.kind === 'file')?.name;
  const result = resultName(operation);
  return {
    operation,
    path,
    query: Object.fromEntries(query.map(({ name, example }) => [name, example as Json])),
    body: Object.fromEntries(
      Object.entries((operation.example ?? {}) as JsonObject).filter(([name]) => name !== file),
    ),
    ...(file !== undefined && { file }),
    ...(result !== undefined && { result }),
  };
}

const NOT_NOUNS = new Set(['get', 'result', 'with', 'secret']);

function resultName({ method, page, result, streams }: Operation): string | undefined {
  if (streams) return 'records';
  if (page || method[0] === 'list') return 'page';
  if (['delete', 'remove'].includes(method[0] ?? '')) return undefined;
  if (result.kind === 'file') return 'file';
  const name = objectName(result);
  if (name === undefined) return 'document';
  const nouns = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(' ')
    .filter((word) => !NOT_NOUNS.has(word));
  return name === 'Deleted' ? undefined : nouns.at(-1);
}
