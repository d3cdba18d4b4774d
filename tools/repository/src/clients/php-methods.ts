import type { Operation, Type } from './api-model.js';
import { objectName } from './named-types.js';
import { docComment, type PhpTypes } from './php-types.js';
import { camel } from './read-api.js';

const THROWS = '@throws \\Understudy\\UnderstudyError';

/** Returns the method of an operation and, for a list, the method that iterates over all pages. */
export function phpMethods(types: PhpTypes, operation: Operation): string[] {
  const { id, doc, page, pathParameters, query, body } = operation;
  const name = camel(operation.method.join(' '));
  const isFile = operation.result.kind === 'file';
  const result = isFile ? 'string' : (typeOf(operation.result) ?? 'array');
  const path = pathParameters.map((field) => `$${camel(field.name)}`);
  const optionalBody = body?.type.fields.every((field) => !field.required);
  const parameters = [
    ...path.map((variable) => `string ${variable}`),
    ...(query.length > 0 ? ['array $query = []'] : []),
    ...(body ? [`#[\\SensitiveParameter] array $body${optionalBody ? ' = []' : ''}`] : []),
    '?CallOptions $options = null',
  ].join(', ');
  const fields = body ? body.type.fields : query;
  const variable = body ? '$body' : '$query';
  const list = types.fieldList(fields);
  const texts = [doc, ...(list.length > 0 ? ['', `Fields of \`${variable}\`:`, ...list] : [])];
  const tags = [
    ...pathParameters.map((field) => `@param string $${camel(field.name)} ${field.doc}`.trimEnd()),
    ...(fields.length > 0 ? [`@param ${types.shape(fields)} ${variable}`] : []),
    ...(result === 'array' ? ['@return array<string, mixed>'] : []),
    ...(isFile ? ['@return string the bytes of the file'] : []),
    THROWS,
  ];
  const given = [
    `'${id}'`,
    ...(result === 'array' || isFile ? [] : [`${result}::class`]),
    ...(path.length > 0 ? [`[${path.join(', ')}]`] : []),
    ...(query.length > 0 ? ['query: $query'] : []),
    ...(body ? ['body: $body'] : []),
    'options: $options',
  ].join(', ');
  const call = isFile ? 'file' : result === 'array' ? 'json' : 'call';
  const method = `${docComment(texts, tags, '    ')}    public function ${name}(${parameters}): ${result}
    {
        return $this->caller->${call}(${given});
    }
`;
  return page ? [method, iterator(operation, parameters, tags)] : [method];
}

function iterator(operation: Operation, parameters: string, tags: readonly string[]): string {
  const { page, pathParameters } = operation;
  const list = camel(operation.method.join(' '));
  const uses = [...pathParameters.map((field) => `$${camel(field.name)}`), '$page', '$options'].join(', ');
  const texts = [
    `Iterates over the items of all pages of \`${list}\`. It requests a page only when you need it.`,
  ];
  const returned = `@return \\Generator<int, ${(page && typeOf(page.item)) ?? 'array'}>`;
  const own = [...tags.filter((tag) => tag.startsWith('@param')), returned, THROWS];
  return `${docComment(texts, own, '    ')}    public function ${list.replace(/^list/, 'iterate')}(${parameters}): \\Generator
    {
        return Pages::iterate(fn (array $page) => $this->${list}(${uses}), '${page?.itemsField ?? ''}', $query);
    }
`;
}

function typeOf(type: Type): string | undefined {
  const name = objectName(type);
  return name === undefined ? undefined : `Types\\${name}`;
}
