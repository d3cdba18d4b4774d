import { formatted } from '../check/programs.js';
import type { ApiModel, Field, ObjectType, Operation, Type } from './api-model.js';
import { byResource, wrapped } from './emitter-parts.js';
import { camel, pascal } from './read-api.js';

const FOLDER = 'clients/typescript/src/generated';
const NOTE = '// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.\n';
const WIDTH = 100;

/** The resources with further methods that are written by hand: the class and its file, which extends the generated one. */
const EXTENDED: Readonly<Record<string, { readonly name: string; readonly file: string }>> = {
  jobs: { name: 'Jobs', file: '../jobs.js' },
  webhooks: { name: 'Webhooks', file: '../webhooks/webhooks.js' },
};

/** Writes the types, the table of operations and the classes of the TypeScript client. */
export function emitTypescript(api: ApiModel, root: string): Record<string, string> {
  const files = {
    'types.ts': types(api),
    'operations.ts': operations(api),
    'resources.ts': resources(api),
    'api-client.ts': apiClient(api),
  };
  return Object.fromEntries(
    Object.entries(files).map(([name, text]) => [
      `${FOLDER}/${name}`,
      // The path of the file itself would make the formatter ignore it.
      formatted(root, 'clients/typescript/src/generated.ts', `${NOTE}\n${text}`),
    ]),
  );
}

function types(api: ApiModel): string {
  const unused = new Set<string>(
    api.operations.flatMap(({ streams, result }) => (streams ? namesIn(result) : [])),
  );
  for (const { fields } of api.types) for (const { type } of fields) addMerged(type, unused);
  for (const { result } of api.operations) addMerged(result, unused);
  const queries = api.operations
    .filter(({ query }) => query.length > 0)
    .map(({ id, query }) => interfaceOf({ name: queryName(id), doc: '', usage: 'request', fields: query }));
  return [
    '/** The bytes of a file for an upload. */\nexport type FileContent = Blob | Uint8Array;\n',
    ...api.types.filter(({ name }) => !unused.has(name)).map(interfaceOf),
    ...queries,
  ].join('\n');
}

const namesIn = (type: Type): string[] => (type.kind === 'object' ? [type.name] : []);

/** Adds the types that only languages without unions need. */
function addMerged(type: Type, names: Set<string>): void {
  if (type.kind === 'union' && type.merged !== undefined) names.add(type.merged);
  if (type.kind === 'list' || type.kind === 'map' || type.kind === 'nullable') addMerged(type.of, names);
}

function interfaceOf({ name, doc, usage, fields }: ObjectType): string {
  const lines = fields.map((field) => {
    // A request may contain `undefined`, so that callers can pass on an optional value of their own.
    const or = !field.required && usage === 'request' ? ' | undefined' : '';
    return `${comment(field.doc)}${field.name}${field.required ? '' : '?'}: ${typeOf(field.type, usage === 'request')}${or};`;
  });
  if (lines.length === 0) return '';
  return `${comment(doc)}export interface ${name} {\n${lines.join('\n')}\n}\n`;
}

/** @param isSent whether callers create the value. They may then pass a list or a map that is read-only. */
function typeOf(type: Type, isSent = false): string {
  switch (type.kind) {
    case 'string':
      return type.values
        ? [...type.values.map((value) => `'${value}'`), '(string & {})'].join(' | ')
        : 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return type.value === undefined ? 'boolean' : String(type.value);
    case 'list':
      return `${isSent ? 'readonly ' : ''}(${typeOf(type.of, isSent)})[]`;
    case 'map':
      return isSent
        ? `Readonly<Record<string, ${typeOf(type.of, isSent)}>>`
        : `Record<string, ${typeOf(type.of)}>`;
    case 'nullable':
      return `${typeOf(type.of, isSent)} | null`;
    case 'object':
      return type.name;
    case 'union':
      return type.of.map((each) => typeOf(each, isSent)).join(' | ');
    case 'any':
      return 'unknown';
    case 'file':
      return isSent ? 'FileContent' : 'Uint8Array<ArrayBuffer>';
  }
}

function operations(api: ApiModel): string {
  const rows = api.operations.map((operation) => {
    const row = {
      id: operation.id,
      method: operation.httpMethod,
      path: operation.path,
      ...(operation.body && { body: operation.body.kind }),
      retry: operation.retry,
      idempotencyKey: operation.idempotencyKey,
      public: operation.public,
      enveloped: operation.enveloped,
      ...(operation.page && { items: operation.page.itemsField }),
    };
    return `${operation.id}: ${JSON.stringify(row)},`;
  });
  return `import type { Operation } from '../transport/request.js';

/** How each operation is requested. */
export const OPERATIONS = {\n${rows.join('\n')}\n} as const satisfies Record<string, Operation>;\n`;
}

function resources(api: ApiModel): string {
  const groups = [...generatedGroups(api)].filter(([resource]) => resource !== '');
  const classes = groups.map(
    ([
      resource,
      members,
    ]) => `${comment(`The operations of \`client.${camel(resource)}\`.`)}export class ${pascal(resource)}Resource {
      readonly #transport: Transport;

      constructor(transport: Transport) {
        this.#transport = transport;
      }

      ${members.map(methods).join('\n\n')}
    }\n`,
  );
  return `import type { CallOptions, KeyedCallOptions } from '../transport/request.js';
import type { Transport } from '../transport/transport.js';
import { OPERATIONS } from './operations.js';
import type { ${usedTypes(groups.flatMap(([, members]) => members)).join(', ')} } from './types.js';

${classes.join('\n')}`;
}

function apiClient(api: ApiModel): string {
  const groups = generatedGroups(api);
  const names = [...groups.keys()].filter((resource) => resource !== '');
  const classOf = (resource: string): string => EXTENDED[resource]?.name ?? `${pascal(resource)}Resource`;
  const generated = names.filter((resource) => !(resource in EXTENDED)).map(classOf);
  const own = groups.get('') ?? [];
  return `${Object.values(EXTENDED)
    .map(({ name, file }) => `import { ${name} } from '${file}';`)
    .join('\n')}
import type { CallOptions } from '../transport/request.js';
import type { Transport } from '../transport/transport.js';
import { OPERATIONS } from './operations.js';
import { ${generated.join(', ')} } from './resources.js';
import type { ${usedTypes(own).join(', ')} } from './types.js';

/** The operations of the API by resource. */
export abstract class ApiClient {
  readonly #transport: Transport;
  ${names.map((resource) => `readonly ${camel(resource)}: ${classOf(resource)};`).join('\n')}

  constructor(transport: Transport) {
    this.#transport = transport;
    ${names.map((resource) => `this.${camel(resource)} = new ${classOf(resource)}(transport);`).join('\n')}
  }

  ${own.map(methods).join('\n\n')}
}\n`;
}

/** Returns the operations of each resource, except those that are written by hand. */
const generatedGroups = ({ operations }: ApiModel): Map<string, Operation[]> =>
  byResource(operations.filter(({ streams }) => !streams));

/** Returns the method of an operation. A list also has a method that iterates over all pages. */
function methods(operation: Operation): string {
  const { id, pathParameters, query, body, page } = operation;
  const hasBody = body !== undefined && body.type.fields.length > 0;
  const mayOmit = !body?.type.fields.some(({ required }) => required);
  const parameters = [
    ...pathParameters.map((parameter) => `${camel(parameter.name)}: string`),
    ...(query.length > 0 ? [`query?: ${queryName(id)}`] : []),
    ...(hasBody ? [`body${mayOmit ? '?' : ''}: ${body.type.name}`] : []),
    `options?: ${operation.idempotencyKey ? 'KeyedCallOptions' : 'CallOptions'}`,
  ].join(', ');
  const path = pathParameters.map((parameter) => camel(parameter.name)).join(', ');
  const request = [
    ...(path ? [`path: [${path}]`] : []),
    ...(query.length > 0 ? ['query'] : []),
    ...(hasBody ? ['body'] : []),
    'options',
  ].join(', ');
  const name = camel(operation.method.join('_'));
  const docs = pathParameters.map((parameter) => parameterDoc(parameter));
  const call = `${comment([operation.doc, ...docs].join('\n'))}${name}(${parameters}): Promise<${typeOf(operation.result)}> {
    return this.#transport.${operation.result.kind === 'file' ? 'download' : 'call'}(OPERATIONS.${id}, { ${request} });
  }`;
  if (!page) return call;
  const iterator = name.replace(/^list/, 'iterate');
  return `${call}

  /**
   * Iterates over the items of all pages of \`${name}\`. Requests the next page when the previous one is used up.
   */
  ${iterator}(${parameters}): AsyncGenerator<${typeOf(page.item)}, void, undefined> {
    return this.#transport.iterate(OPERATIONS.${id}, { ${request} });
  }`;
}

function parameterDoc({ name, doc }: Field): string {
  return doc === '' ? '' : `\n@param ${camel(name)} ${doc}`;
}

function usedTypes(all: readonly Operation[]): string[] {
  const names = all.flatMap(({ id, query, body, result, page }) => [
    ...(query.length > 0 ? [queryName(id)] : []),
    ...(body && body.type.fields.length > 0 ? [body.type.name] : []),
    ...(result.kind === 'file' ? [] : typeOf(result).split(' | ')),
    ...(page ? typeOf(page.item).split(' | ') : []),
  ]);
  return [...new Set(names)].filter((name) => /^\w+$/.test(name)).sort(); // maps and lists have no name
}

const queryName = (id: string): string => `${pascal(id)}Query`;

/** Returns a doc comment with wrapped lines, or an empty text. */
function comment(doc: string): string {
  const lines = doc
    .replaceAll('*/', '* /')
    .trim()
    .split('\n')
    .flatMap((paragraph) => wrapped(paragraph, WIDTH));
  if (lines.join('') === '') return '';
  if (lines.length === 1) return `/** ${lines.join('')} */\n`;
  return `/**\n${lines.map((line) => (line === '' ? ' *' : ` * ${line}`)).join('\n')}\n */\n`;
}
