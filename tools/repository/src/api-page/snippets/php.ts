import {
  type JsonObject,
  type Layout,
  phpLiteral,
  phpText,
  print,
  STYLE_OF,
} from '@understudy/code-snippets';

import { methodPath } from '../../clients/emitter-parts.js';
import { camel } from '../../clients/read-api.js';
import { EXAMPLE_FILE, type ExampleCall } from '../example-call.js';

/** Returns the call in PHP, in the style of PSR-12. */
export function phpSnippet(call: ExampleCall): string {
  const { operation, path, query, body, file, result } = call;
  const receiver = operation.public ? 'Understudy::withoutToken()' : '$client';
  const fields = [
    ...pairs(query),
    ...pairs(body),
    ...(file ? [`'${file}' => file_get_contents('${EXAMPLE_FILE}')`] : []),
  ];
  const args: Layout[] = [
    ...path.flatMap((value) => [phpLiteral(value), ', ']),
    ...(fields.length > 0 ? [array(fields)] : []),
  ];
  if (fields.length === 0) args.pop();
  const method = methodPath(operation, camel).join('->');
  const head = `${result ? `$${result} = ` : ''}${receiver}->${method}(`;
  return print([head, ...args, ');'], STYLE_OF.php);
}

const array = (items: readonly Layout[]): Layout => ({
  open: '[',
  items,
  close: ']',
  padding: '',
  lastComma: true,
});

const pairs = (object: JsonObject): Layout[] =>
  Object.entries(object).map(([key, value]) => [`${phpText(key)} => `, phpLiteral(value)]);
