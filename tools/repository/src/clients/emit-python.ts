import type { ApiModel, Field, ObjectType, Operation, Type } from './api-model.js';
import { pythonTypeNames } from './python-type-names.js';
import { pascal, words } from './read-api.js';

const FOLDER = 'clients/python/src/understudy/_generated';
const HEAD = 'Written by `npm run generate` from docs/reference/openapi.json. Do not edit.';
const WIDTH = 88;

/** Resources with hand-written methods, by their names as words, and the hand-written base class. */
const BASES: Readonly<Record<string, string>> = { jobs: 'JobsResource', webhooks: 'WebhooksResource' };

/** The options of each call. A parameter of the API cannot have one of these names. */
const OPTIONS = ['timeout', 'max_retries', 'idempotency_key'];
const KEYWORDS = new Set(
  'and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield self'.split(
    ' ',
  ),
);

/** Writes the types, the operations and the resources of the client for Python, formatted like Black does. */
export function emitPython(api: ApiModel): Record<string, string> {
  const names = pythonTypeNames(api);
  const emitter = new PythonEmitter(api, names.enums);
  const offered = api.operations.filter((operation) => !operation.streams);
  return {
    [`${FOLDER}/__init__.py`]: `"""${HEAD}"""\n`,
    [`${FOLDER}/types.py`]: emitter.types(names.objects),
    [`${FOLDER}/operations.py`]: emitter.operations(),
    [`${FOLDER}/resources.py`]: emitter.resources(offered, false),
    [`${FOLDER}/async_resources.py`]: emitter.resources(offered, true),
  };
}

class PythonEmitter {
  constructor(
    private readonly api: ApiModel,
    /** The names of the types of texts, by their known values. */
    private readonly enums: ReadonlyMap<string, string>,
  ) {}

  types(objects: readonly ObjectType[]): string {
    const aliases = [...this.enums].map(([values, name]) => {
      const known = list('Literal[', (JSON.parse(values) as string[]).map(quote), ']', 1);
      return `${name} = Union[\n    ${known},\n    str,\n]\n`;
    });
    const names = [...this.enums.values(), ...objects.map(({ name }) => name), 'File'].sort(byText);
    return [
      `"""The types of requests and responses.\n\n${HEAD}\n\nA response is a dictionary and may contain more fields than its type. A text with known\nvalues may have any other value.\n"""\n`,
      'from __future__ import annotations\n',
      'from typing import Any, BinaryIO, Literal, Mapping, Sequence, TypedDict, Union\n',
      `__all__ = ${list('[', names.map(quote), ']', 0)}\n`,
      '# The bytes of a file, or an open binary file.\nFile = Union[bytes, BinaryIO]\n',
      aliases.join('\n'),
      `\n${objects.map((type) => this.#typedDict(type)).join('\n\n')}`,
    ].join('\n');
  }

  operations(): string {
    const rows = this.api.operations.map((operation) => {
      const facts = [
        `id=${quote(operation.id)}`,
        `method=${quote(operation.httpMethod)}`,
        `path=${quote(operation.path)}`,
        ...(operation.retry === 'never' ? ['repeatable=False'] : []),
        ...(operation.idempotencyKey ? ['idempotency_key=True'] : []),
        ...(operation.public ? ['public=True'] : []),
        ...(operation.enveloped ? [] : ['enveloped=False']),
        ...(operation.body?.kind === 'multipart' ? ['multipart=True'] : []),
        ...(operation.page ? [`items=${quote(operation.page.itemsField)}`] : []),
      ];
      const left = `${constant(operation)}: Operation[${this.#result(operation)}] = Operation(`;
      return `${left}\n${facts.map((fact) => `    ${fact},\n`).join('')})\n`;
    });
    return [
      `"""The operations of the API.\n\n${HEAD}\n"""\n`,
      'from __future__ import annotations\n',
      'from typing import Any\n',
      'from .._core.request import Operation\nfrom . import types\n',
      rows.join('\n'),
    ].join('\n');
  }

  resources(operations: readonly Operation[], async: boolean): string {
    const prefix = async ? 'Async' : '';
    const byResource = new Map<string, Operation[]>();
    for (const operation of operations)
      byResource.set(operation.resource.join('_'), [
        ...(byResource.get(operation.resource.join('_')) ?? []),
        operation,
      ]);
    const own = byResource.get('') ?? [];
    byResource.delete('');
    const bases = [...new Set([...byResource.keys()].map((name) => prefix + (BASES[name] ?? 'Resource')))];
    const classes = [...byResource].map(([name, methods]) =>
      [
        `class ${prefix}${pascal(name)}(${prefix}${BASES[name] ?? 'Resource'}):\n`,
        `    """The methods of \`client.${name}\`."""\n\n`,
        methods.flatMap((operation) => this.#methods(operation, async)).join('\n'),
      ].join(''),
    );
    const attributes = [...byResource.keys()].map(
      (name) => `        self.${name} = ${prefix}${pascal(name)}(caller)\n`,
    );
    const all = [
      `class ${prefix}Resources(${prefix}Resource):\n`,
      `    """The resources of a client, and the methods that belong to no resource."""\n\n`,
      `    def __init__(self, caller: ${prefix}Caller) -> None:\n`,
      `        super().__init__(caller)\n`,
      attributes.join(''),
      '\n',
      own.flatMap((operation) => this.#methods(operation, async)).join('\n'),
    ].join('');
    const iterator = async ? 'AsyncIterator' : 'Iterator';
    const caller = `from .._${async ? 'async_' : ''}caller import ${prefix}Caller\n`;
    return [
      `"""The resources of ${async ? '`AsyncUnderstudy`' : '`Understudy`'}.\n\n${HEAD}\n"""\n`,
      'from __future__ import annotations\n',
      `from typing import ${['Any', iterator, 'Mapping', 'Sequence'].sort(byText).join(', ')}\n`,
      `${caller}from .._resource import (\n${bases
        .sort(byText)
        .map((name) => `    ${name},\n`)
        .join('')})\nfrom . import operations, types\n\n`,
      [...classes, all].join('\n\n'),
    ].join('\n');
  }

  #typedDict({ name, doc, usage, fields }: ObjectType): string {
    const response = usage !== 'request';
    const body = (some: readonly Field[]): string =>
      some
        .map(
          (field) =>
            `    ${identifier(field.name)}: ${this.#type(field.type, response ? 'list' : 'Sequence')}\n${docstring(field.doc, 4)}`,
        )
        .join('');
    const required = fields.filter((field) => field.required);
    const optional = fields.filter((field) => !field.required);
    const text = docstring(doc, 4);
    const gap = text === '' ? '' : '\n';
    if (optional.length === 0) return `class ${name}(TypedDict):\n${text}${gap}${body(required)}`;
    if (required.length === 0)
      return `class ${name}(TypedDict, total=False):\n${text}${gap}${body(optional)}`;
    return [
      `class _${name}Required(TypedDict):\n${body(required)}\n\n`,
      `class ${name}(_${name}Required, total=False):\n${text}${gap}${body(optional)}`,
    ].join('');
  }

  /** The method of an operation, and the one that iterates over all its pages. */
  #methods(operation: Operation, async: boolean): string[] {
    const name = operation.method.join('_');
    const head = async ? 'async def' : 'def';
    const run = async ? 'return await self._caller.call(' : 'return self._caller.call(';
    const method = this.#method(operation, `${head} ${name}`, this.#result(operation, 'types.'), run, '');
    if (!operation.page) return [method];
    const iterator = `${async ? 'Async' : ''}Iterator[${this.#type(operation.page.item, 'list', 'types.')}]`;
    const iterate = ['iterate', ...operation.method.slice(1)].join('_');
    const note = `Iterates over the items of all pages of \`${name}\`.`;
    return [
      method,
      this.#method(operation, `def ${iterate}`, iterator, 'return self._caller.iterate(', note),
    ];
  }

  #method(operation: Operation, head: string, result: string, run: string, note: string): string {
    const fields = [...operation.query, ...(operation.body?.type.fields ?? [])];
    for (const { name } of fields)
      if (OPTIONS.includes(name)) throw new Error(`${operation.id}: ${name} is an option of each call`);
    const options = OPTIONS.slice(0, operation.idempotencyKey ? 3 : 2);
    const keywords = [
      ...fields.filter((field) => field.required),
      ...fields.filter((field) => !field.required),
    ].map(({ name, required, type }) => {
      const text = this.#type(type, 'Sequence', 'types.');
      return `${identifier(name)}: ${text}${required ? '' : ' | None = None'}`;
    });
    const ids = operation.pathParameters.map((field) => `${identifier(field.name)}: str`);
    const parameters = [
      'self',
      ...(ids.length > 0 ? [...ids, '/'] : []),
      '*',
      ...keywords,
      'timeout: float | None = None',
      'max_retries: int | None = None',
      ...(operation.idempotencyKey ? ['idempotency_key: str | None = None'] : []),
    ];
    const values = (some: readonly Field[]): string[] =>
      some.map(({ name }) => `                ${quote(name)}: ${name},\n`);
    const pass = (name: string, some: readonly Field[]): string =>
      some.length === 0
        ? `            ${name}={},\n`
        : `            ${name}={\n${values(some).join('')}            },\n`;
    const path = operation.pathParameters.map(({ name }) => name);
    const documented = [...operation.pathParameters, ...fields].filter(({ doc }) => doc !== '');
    const args = documented.map(({ name, doc }) => wrap(`${name}: ${oneLine(doc)}`, 12, 4));
    return [
      `    ${head}(\n${parameters.map((each) => `        ${each},\n`).join('')}    ) -> ${result}:\n`,
      docstring(note || operation.doc, 8, args.length > 0 ? `        Args:\n${args.join('\n')}` : ''),
      `        ${run}\n            operations.${constant(operation)},\n`,
      path.length > 0 ? `            path=(${path.join(', ')}${path.length === 1 ? ',' : ''}),\n` : '',
      operation.query.length > 0 ? pass('query', operation.query) : '',
      operation.body ? pass('body', operation.body.type.fields) : '',
      options.map((option) => `            ${option}=${option},\n`).join(''),
      '        )\n',
    ].join('');
  }

  #result(operation: Operation, scope = 'types.'): string {
    return this.#type(operation.result, 'dict', scope);
  }

  /** @param container `list` for types that are received, `Sequence` for types that are only sent */
  #type(type: Type, container: 'list' | 'Sequence' | 'dict', scope = ''): string {
    const inner = (of: Type): string => this.#type(of, container, scope);
    const sent = container === 'Sequence';
    switch (type.kind) {
      case 'string':
        return type.values ? this.#literal(type.values, scope) : 'str';
      case 'integer':
        return 'int';
      case 'number':
        return 'float';
      case 'boolean':
        return 'bool';
      case 'list':
        return `${sent ? 'Sequence' : 'list'}[${inner(type.of)}]`;
      case 'map':
        return `${sent ? 'Mapping' : 'dict'}[str, ${inner(type.of)}]`;
      case 'nullable':
        return `${inner(type.of)} | None`;
      case 'object':
        return scope + type.name;
      case 'union':
        return type.merged ? scope + type.merged : type.of.map(inner).join(' | ');
      case 'any':
        return 'Any';
      case 'file':
        return `${scope}File`;
    }
  }

  #literal(values: readonly string[], scope: string): string {
    const name = this.enums.get(JSON.stringify(values));
    return name === undefined ? 'str' : scope + name;
  }
}

const constant = ({ id }: Operation): string => words(id).join('_').toUpperCase();

/** @throws Error if Python reserves the name */
function identifier(name: string): string {
  if (KEYWORDS.has(name) || !/^[a-z_][a-z0-9_]*$/.test(name))
    throw new Error(
      `expected a name for Python, received ${name}: give the field an alias in emit-python.ts`,
    );
  return name;
}

const quote = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

const byText = (a: string, b: string): number => (a < b ? -1 : 1);

const oneLine = (text: string): string => text.replace(/\s*\n\s*/g, ' ');

/** A bracketed list on one line, or with one item on each line if it is too long. */
function list(open: string, items: readonly string[], close: string, depth: number): string {
  const indent = '    '.repeat(depth);
  const line = `${open}${items.join(', ')}${close}`;
  if (indent.length + line.length < WIDTH) return line;
  return `${open}\n${items.map((item) => `${indent}    ${item},\n`).join('')}${indent}${close}`;
}

/** A docstring with its line break, or nothing. Each paragraph of the text is wrapped on its own. */
function docstring(text: string, indent: number, rest = ''): string {
  const space = ' '.repeat(indent);
  const paragraphs = text
    .replaceAll('\\', '\\\\')
    .replaceAll('"""', "'''")
    .split(/\n\n+/)
    .filter(Boolean)
    .map((paragraph, index) => wrap((index === 0 ? '"""' : '') + oneLine(paragraph), indent, 0));
  const body = [...paragraphs, rest].filter(Boolean).join('\n\n');
  if (body === '') return '';
  const isOneLine = !body.includes('\n') && body.length + 3 <= WIDTH && !body.endsWith('"');
  return isOneLine ? `${body}"""\n` : `${body}\n${space}"""\n`;
}

/** Breaks a text between words. All lines but the first are indented by `hanging` more spaces. */
function wrap(text: string, indent: number, hanging: number): string {
  const lines = [' '.repeat(indent)];
  let empty = true;
  for (const word of text.split(/\s+/)) {
    const line = lines[lines.length - 1] ?? '';
    if (empty || line.length + 1 + word.length <= WIDTH) {
      lines[lines.length - 1] = empty ? line + word : `${line} ${word}`;
    } else lines.push(' '.repeat(indent + hanging) + word);
    empty = false;
  }
  return lines.join('\n');
}
