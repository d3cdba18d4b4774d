import { camel } from '../../clients/read-api.js';
import { EXAMPLE_FILE, type ExampleCall, type JsonObject } from '../example-call.js';

/** Creates the client, in the first lines of a program. */
export const TYPESCRIPT_SETUP = `import { Understudy } from '@understudy/client';

const client = new Understudy();`;

/** Returns the call in TypeScript. Prettier formats it, with the rest of the page. */
export function typescriptSnippet(call: ExampleCall): string {
  const { operation, path, query, body, file, result } = call;
  if (operation.streams) return generateSnippet(body);
  const receiver = operation.public ? 'Understudy.withoutToken()' : 'client';
  const args = [
    ...path.map((value) => JSON.stringify(value)),
    ...(hasFields(query) ? [JSON.stringify(query)] : []),
    ...(file ? [withFile(body, file)] : hasFields(body) ? [JSON.stringify(body)] : []),
  ];
  const method = [
    ...(operation.resource.length > 0 ? [camel(operation.resource.join('_'))] : []),
    camel(operation.method.join('_')),
  ];
  const statement = `${result ? `const ${result} = ` : ''}await ${receiver}.${method.join('.')}(${args.join(', ')});`;
  return file ? `import { readFile } from 'node:fs/promises';\n\n${statement}` : statement;
}

const hasFields = (object: JsonObject): boolean => Object.keys(object).length > 0;

const withFile = (body: JsonObject, file: string): string =>
  `{ ${file}: await readFile('${EXAMPLE_FILE}'), ${JSON.stringify(body).slice(1)}`;

function generateSnippet({ schema, count, seed }: JsonObject): string {
  return `const schema = ${JSON.stringify(schema)};
const records = await client.generate(schema, ${String(count)}, { seed: ${String(seed)} });`;
}
