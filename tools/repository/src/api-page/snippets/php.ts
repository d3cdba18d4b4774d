import { camel } from '../../clients/read-api.js';
import { EXAMPLE_FILE, type ExampleCall, type Json, type JsonObject } from '../example-call.js';
import { print, type Layout } from './layout.js';

/** Creates the client, in the first lines of a program. */
export const PHP_SETUP = `<?php

use Understudy\\Understudy;

require 'vendor/autoload.php';

$client = new Understudy();`;

const STYLE = { width: 100, indent: '    ' };

/** Returns the call in PHP, in the style of PSR-12. */
export function phpSnippet(call: ExampleCall): string {
  const { operation, path, query, body, file, result } = call;
  if (operation.streams) return generateSnippet(body);
  const receiver = operation.public ? 'Understudy::withoutToken()' : '$client';
  const fields = [
    ...pairs(query),
    ...pairs(body),
    ...(file ? [`'${file}' => file_get_contents('${EXAMPLE_FILE}')`] : []),
  ];
  const args: Layout[] = [
    ...path.flatMap((value) => [literal(value), ', ']),
    ...(fields.length > 0 ? [array(fields)] : []),
  ];
  if (fields.length === 0) args.pop();
  const method = [
    ...(operation.resource.length > 0 ? [camel(operation.resource.join('_'))] : []),
    camel(operation.method.join('_')),
  ];
  const head = `${result ? `$${result} = ` : ''}${receiver}->${method.join('->')}(`;
  return print([head, ...args, ');'], STYLE);
}

function generateSnippet({ schema = {}, count, seed }: JsonObject): string {
  const call = `$records = $client->generate($schema, ${String(count)}, seed: ${String(seed)});`;
  return `${print(['$schema = ', literal(schema), ';'], STYLE)}\n${call}`;
}

const array = (items: readonly Layout[]): Layout => ({
  open: '[',
  items,
  close: ']',
  padding: '',
  lastComma: true,
});

const pairs = (object: JsonObject): Layout[] =>
  Object.entries(object).map(([key, value]) => [`${quoted(key)} => `, literal(value)]);

function literal(value: Json): Layout {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return String(value);
  return array(Array.isArray(value) ? value.map(literal) : pairs(value as JsonObject));
}

const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;
