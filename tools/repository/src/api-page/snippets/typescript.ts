import type { JsonObject } from '@understudy/code-snippets';

import { methodPath } from '../../clients/emitter-parts.js';
import { camel } from '../../clients/read-api.js';
import { EXAMPLE_FILE, type ExampleCall } from '../example-call.js';

/** Returns the call in TypeScript. The formatter formats it, with the rest of the page. */
export function typescriptSnippet(call: ExampleCall): string {
  const { operation, path, query, body, file, result } = call;
  const receiver = operation.public ? 'Understudy.withoutToken()' : 'client';
  const args = [
    ...path.map((value) => JSON.stringify(value)),
    ...(hasFields(query) ? [JSON.stringify(query)] : []),
    ...(file ? [withFile(body, file)] : hasFields(body) ? [JSON.stringify(body)] : []),
  ];
  const method = methodPath(operation, camel).join('.');
  const statement = `${result ? `const ${result} = ` : ''}await ${receiver}.${method}(${args.join(', ')});`;
  return file ? `import { readFile } from 'node:fs/promises';\n\n${statement}` : statement;
}

const hasFields = (object: JsonObject): boolean => Object.keys(object).length > 0;

const withFile = (body: JsonObject, file: string): string =>
  `{ ${file}: await readFile('${EXAMPLE_FILE}'), ${JSON.stringify(body).slice(1)}`;
