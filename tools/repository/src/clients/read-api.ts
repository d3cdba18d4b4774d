import type { ApiModel, Field, ObjectType, Operation, Retry, Type } from './api-model.js';
import { TYPE_NAMES } from './type-names.js';

type Json = Readonly<Record<string, unknown>>;
type Usage = 'request' | 'response';

const HTTP_METHODS = ['get', 'post', 'patch', 'delete'] as const;

/**
 * Reads the operations of the OpenAPI document that a client offers: those that have `x-client-method`.
 * @throws Error that names a schema that no emitter understands
 */
export function readApi(document: Json): ApiModel {
  const types = new TypeReader(at(document, 'components', 'schemas'));
  const operations: Operation[] = [];
  for (const [path, methods] of Object.entries(document['paths'] as Json))
    for (const method of HTTP_METHODS) {
      const operation = (methods as Json)[method] as Json | undefined;
      if (operation?.['x-client-method'] === undefined) continue;
      operations.push(readOperation(String(operation['operationId']), method, path, operation, types));
    }
  types.add('FieldProblem', 'response');
  return { types: types.all(), operations };
}

function readOperation(
  id: string,
  method: string,
  path: string,
  operation: Json,
  types: TypeReader,
): Operation {
  const clientMethod = String(operation['x-client-method']);
  const name = clientMethod.split('.');
  const parameters = (operation['parameters'] ?? []) as readonly Json[];
  const within = (place: string): Field[] =>
    parameters
      .filter((parameter) => parameter['in'] === place)
      .map((parameter) => ({
        name: String(parameter['name']),
        doc: text(parameter['description']),
        required: parameter['required'] === true,
        type: types.read(
          parameter['schema'] as Json,
          `${pascal(id)}${pascal(String(parameter['name']))}`,
          'request',
        ),
        ...('example' in parameter && { example: parameter['example'] }),
      }));
  const idempotencyKey = parameters.some((parameter) => parameter['name'] === 'Idempotency-Key');
  const streams = id === 'generate';
  const body = readBody(id, operation, types);
  const { result, enveloped, page } = readResult(id, operation, types);
  return {
    id,
    clientMethod,
    tag: text((operation['tags'] as readonly unknown[] | undefined)?.[0]),
    resource: name.slice(0, -1).flatMap(words),
    method: name.slice(-1).flatMap(words),
    doc: [`${text(operation['summary'])}.`, text(operation['description'])].filter(Boolean).join('\n\n'),
    httpMethod: method.toUpperCase() as Operation['httpMethod'],
    path,
    pathParameters: within('path'),
    query: within('query'),
    ...(body && { body }),
    result,
    enveloped,
    ...(page && { page }),
    retry: retryOf(operation, method, idempotencyKey, streams),
    idempotencyKey,
    public: !Array.isArray(operation['security']) || operation['security'].length === 0,
    streams,
    ...(body && { example: bodyContent(operation)?.[1]['example'] }),
  };
}

function retryOf(operation: Json, method: string, idempotencyKey: boolean, streams: boolean): Retry {
  if (streams) return 'beforeFirstByte';
  if (operation['x-never-repeated'] === true) return 'never';
  if (method === 'post' && !idempotencyKey)
    throw new Error(
      `${String(operation['operationId'])} is a POST without Idempotency-Key: declare it with isNeverRepeated`,
    );
  return 'always';
}

function bodyContent(operation: Json): [string, Json] | undefined {
  const body = operation['requestBody'] as Json | undefined;
  return body && (Object.entries(body['content'] as Json)[0] as [string, Json]);
}

function readBody(id: string, operation: Json, types: TypeReader): Operation['body'] {
  const content = bodyContent(operation);
  if (content === undefined) return undefined;
  const type = types.read(content[1]['schema'] as Json, `${pascal(id)}Request`, 'request');
  if (type.kind !== 'object') throw new Error(`${id}: expected a body that is an object`);
  return {
    kind: content[0].startsWith('multipart/') ? 'multipart' : 'json',
    type: types.get(type.name),
  };
}

function readResult(
  id: string,
  operation: Json,
  types: TypeReader,
): Pick<Operation, 'result' | 'enveloped' | 'page'> {
  const responses = Object.entries(operation['responses'] as Json).filter(([status]) =>
    status.startsWith('2'),
  );
  const isFile = responses.every(([, response]) => FILE in at(response as Json, 'content'));
  if (isFile) return { result: { kind: 'file' }, enveloped: false };
  const data = responses
    .map(([, response]) => at(response as Json, 'content', 'application/json', 'schema'))
    .map((schema) => (schema['properties'] as Record<string, Json> | undefined)?.['data'])
    .filter((schema) => schema !== undefined);
  const [first] = data;
  if (first === undefined) return { result: { kind: 'map', of: { kind: 'any' } }, enveloped: false };
  const result = types.read(data.length === 1 ? first : { anyOf: data }, `${pascal(id)}Result`, 'response');
  const isPage = 'per_page' in ((first['properties'] ?? {}) as Json);
  if (!isPage || result.kind !== 'object') return { result, enveloped: true };
  for (const { name, type } of types.get(result.name).fields)
    if (type.kind === 'list') return { result, enveloped: true, page: { itemsField: name, item: type.of } };
  throw new Error(`${id}: expected a list in the page`);
}

/** The media type of a response that is a file. */
const FILE = 'application/octet-stream';

/** Gives each object schema a name, and collects the named types. */
class TypeReader {
  readonly #types = new Map<string, ObjectType>();

  constructor(private readonly schemas: Json) {}

  all(): ObjectType[] {
    return [...this.#types.values()];
  }

  get(name: string): ObjectType {
    const type = this.#types.get(name);
    if (type === undefined) throw new Error(`expected a type ${name}`);
    return type;
  }

  /** @param name name for the type if the schema is an object without one */
  read(schema: Json, name: string, usage: Usage): Type {
    if (typeof schema['$ref'] === 'string')
      return this.add(schema['$ref'].replace('#/components/schemas/', ''), usage);
    const variants = (schema['anyOf'] ?? schema['oneOf']) as readonly Json[] | undefined;
    if (variants) return this.#union(variants, name, usage);
    if ('const' in schema) return constant(schema['const']);
    switch (schema['type']) {
      case 'string':
        if (schema['contentMediaType'] !== undefined) return { kind: 'file' };
        return schema['enum'] ? { kind: 'string', values: schema['enum'] as string[] } : { kind: 'string' };
      case 'integer':
      case 'number':
        return { kind: schema['type'] };
      case 'boolean':
        return { kind: 'boolean' };
      case 'array':
        return { kind: 'list', of: this.read(schema['items'] as Json, singular(name), usage) };
      case 'object':
        if (schema['properties'] !== undefined) return this.#object(schema, name, usage);
        return { kind: 'map', of: this.#mapValue(schema, name, usage) };
      default:
        return { kind: 'any' };
    }
  }

  /** Adds a type of `components.schemas`. */
  add(name: string, usage: Usage): Type {
    return this.#object(this.schemas[name] as Json, name, usage);
  }

  #object(schema: Json, longName: string, usage: Usage): Type {
    const name = TYPE_NAMES[longName] ?? longName;
    const known = this.#types.get(name);
    if (known) {
      const fields = Object.keys(schema['properties'] as Json).join(', ');
      const sameFields = known.fields.map((field) => field.name).join(', ');
      if (known.fields.length > 0 && fields !== sameFields)
        throw new Error(`${longName} (${fields}) and ${name} (${sameFields}) have one name (type-names.ts)`);
      if (known.usage !== usage) this.#types.set(name, { ...known, usage: 'both' });
      return { kind: 'object', name };
    }
    // Reserves the place, so that a type stands before the types of its fields.
    this.#types.set(name, { name, doc: text(schema['description']), usage, fields: [] });
    const required = new Set((schema['required'] ?? []) as string[]);
    const fields = Object.entries(schema['properties'] as Record<string, Json>).map(([field, of]) => ({
      name: field,
      doc: text(of['description']),
      required: required.has(field),
      type: this.read(of, `${longName.replace(/Request$/, '')}${pascal(field)}`, usage),
    }));
    this.#types.set(name, { ...this.get(name), fields });
    return { kind: 'object', name };
  }

  #mapValue(schema: Json, name: string, usage: Usage): Type {
    const values = schema['additionalProperties'];
    if (typeof values !== 'object' || values === null) return { kind: 'any' };
    return this.read(values as Json, `${name}Value`, usage);
  }

  #union(variants: readonly Json[], name: string, usage: Usage): Type {
    const some = variants.filter((variant) => variant['type'] !== 'null');
    const types = some.map((variant, index) =>
      this.read(variant, some.length === 1 ? name : `${name}${index + 1}`, usage),
    );
    const [only] = types;
    const type = types.length === 1 && only ? only : this.#merged(types, name, usage);
    return some.length === variants.length ? type : { kind: 'nullable', of: type };
  }

  /** For languages without unions: a type with the fields of all members. A field that one of them lacks is optional. */
  #merged(types: readonly Type[], name: string, usage: Usage): Type {
    if (!types.every((type) => type.kind === 'object')) return { kind: 'union', of: types };
    const members = types.map((type) => this.get(type.name));
    const names = [...new Set(members.flatMap(({ fields }) => fields.map((field) => field.name)))];
    const fields = names.map((field): Field => {
      const all = members.flatMap((member) => member.fields.filter((each) => each.name === field));
      const doc = all.map((each) => each.doc).find((each) => each !== '') ?? '';
      return {
        name: field,
        doc,
        required: all.length === members.length && all.every((each) => each.required),
        type: mergedType(all.map((each) => each.type)),
      };
    });
    this.#types.set(name, {
      name,
      doc: members
        .map((member) => member.doc)
        .filter(Boolean)
        .join(' '),
      usage,
      fields,
    });
    return { kind: 'union', of: types, merged: name };
  }
}

function mergedType(types: readonly Type[]): Type {
  const kinds = new Set(types.map(({ kind }) => kind));
  if (kinds.size > 1) return types.find(({ kind }) => kind === 'nullable') ?? { kind: 'any' };
  const [first = { kind: 'any' }] = types;
  if (first.kind === 'string') {
    const values = types.flatMap((type) => ('values' in type ? (type.values ?? []) : []));
    return values.length > 0 ? { kind: 'string', values: [...new Set(values)] } : { kind: 'string' };
  }
  return first.kind === 'boolean' ? { kind: 'boolean' } : first;
}

function constant(value: unknown): Type {
  if (typeof value === 'boolean') return { kind: 'boolean', value };
  return { kind: 'string', values: [String(value)] };
}

function at(node: Json, ...keys: readonly string[]): Json {
  return keys.reduce<Json>((found, key) => {
    const next = found[key];
    if (typeof next !== 'object' || next === null)
      throw new Error(`the API document has no ${keys.join('.')}`);
    return next as Json;
  }, node);
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Splits a camelCase, snake_case or kebab-case name into lower-case words. */
export function words(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[ _-]+/)
    .map((word) => word.toLowerCase());
}

export const pascal = (name: string): string =>
  words(name)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

export const camel = (name: string): string => {
  const text = pascal(name);
  return text.charAt(0).toLowerCase() + text.slice(1);
};

export const snake = (name: string): string => words(name).join('_');

/** The name of one item of a list: `CreateSyncJobTables` → `CreateSyncJobTable`. */
function singular(name: string): string {
  if (/(ss|us)$/.test(name)) return `${name}Item`;
  if (name.endsWith('ies')) return `${name.slice(0, -3)}y`;
  return name.endsWith('s') ? name.slice(0, -1) : `${name}Item`;
}
