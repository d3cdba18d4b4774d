import { snake } from '../../clients/read-api.js';
import { EXAMPLE_FILE, type ExampleCall, type Json, type JsonObject } from '../example-call.js';
import { print, type Layout } from './layout.js';

/** Creates the client, in the first lines of a program. */
export const PYTHON_SETUP = `from understudy import Understudy

client = Understudy()`;

/** The width of Black's lines. */
const STYLE = { width: 88, indent: '    ' };

/** Returns the call in Python, as Black formats it. */
export function pythonSnippet(call: ExampleCall): string {
  const { operation, path, query, body, file, result } = call;
  if (operation.streams) return generateSnippet(body);
  const receiver = operation.public ? 'Understudy.without_token()' : 'client';
  const items: Layout[] = [
    ...path.map((value) => literal(value)),
    ...(file ? [`${file}=file`] : []),
    ...Object.entries({ ...query, ...body }).map(([name, value]) => [`${name}=`, literal(value)]),
  ];
  const method = [
    ...(operation.resource.length > 0 ? [snake(operation.resource.join('_'))] : []),
    snake(operation.method.join('_')),
  ];
  const head = `${result ? `${result} = ` : ''}${receiver}.${method.join('.')}`;
  const statement = [head, { open: '(', items, close: ')', padding: '', lastComma: true } as const];
  return file
    ? `with open("${EXAMPLE_FILE}", "rb") as file:\n    ${print(statement, STYLE, 1)}`
    : print(statement, STYLE);
}

function generateSnippet({ schema = {}, count, seed }: JsonObject): string {
  const call = `records = client.generate(schema, ${String(count)}, seed=${String(seed)})`;
  return `${print(['schema = ', literal(schema)], STYLE)}\n${call}`;
}

function literal(value: Json): Layout {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value))
    return { open: '[', items: value.map(literal), close: ']', padding: '', lastComma: true };
  const items = Object.entries(value).map(([key, of]) => [`${JSON.stringify(key)}: `, literal(of)]);
  return { open: '{', items, close: '}', padding: '', lastComma: true };
}
