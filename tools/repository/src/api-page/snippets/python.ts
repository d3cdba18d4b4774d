import { type Layout, print, pythonLiteral, STYLE_OF } from '@understudy/code-snippets';

import { methodPath } from '../../clients/emitter-parts.js';
import { snake } from '../../clients/read-api.js';
import { EXAMPLE_FILE, type ExampleCall } from '../example-call.js';

/** Returns the call in Python, as Black formats it. */
export function pythonSnippet(call: ExampleCall): string {
  const { operation, path, query, body, file, result } = call;
  const receiver = operation.public ? 'Understudy.without_token()' : 'client';
  const items: Layout[] = [
    ...path.map((value) => pythonLiteral(value)),
    ...(file ? [`${file}=file`] : []),
    ...Object.entries({ ...query, ...body }).map(([name, value]) => [`${name}=`, pythonLiteral(value)]),
  ];
  const method = methodPath(operation, snake).join('.');
  const head = `${result ? `${result} = ` : ''}${receiver}.${method}`;
  const statement = [head, { open: '(', items, close: ')', padding: '', lastComma: true } as const];
  return file
    ? `with open("${EXAMPLE_FILE}", "rb") as file:\n    ${print(statement, STYLE_OF.python, 1)}`
    : print(statement, STYLE_OF.python);
}
