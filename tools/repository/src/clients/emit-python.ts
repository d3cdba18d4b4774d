import type { ApiModel, Field, Operation } from './api-model.js';
import { byResource } from './emitter-parts.js';
import { byText, docstring, HEAD, identifier, oneLine, quote, wrap } from './python-text.js';
import { PythonTypes } from './python-types.js';
import { pascal, words } from './read-api.js';

const FOLDER = 'clients/python/src/understudy/_generated';

/** Resources with hand-written methods, by their names as words, and the hand-written base class. */
const BASES: Readonly<Record<string, string>> = { jobs: 'JobsResource', webhooks: 'WebhooksResource' };

/** The options of each call. A parameter of the API cannot have one of these names. */
const OPTIONS = ['timeout', 'max_retries', 'idempotency_key'];

/** Writes the types, the operations and the resources of the client for Python, formatted like Black does. */
export function emitPython(api: ApiModel): Record<string, string> {
  const types = new PythonTypes(api);
  const emitter = new PythonEmitter(api, types);
  const offered = api.operations.filter((operation) => !operation.streams);
  return {
    [`${FOLDER}/__init__.py`]: `"""${HEAD}"""\n`,
    [`${FOLDER}/types.py`]: types.module(),
    [`${FOLDER}/operations.py`]: emitter.operations(),
    [`${FOLDER}/resources.py`]: emitter.resources(offered, false),
    [`${FOLDER}/async_resources.py`]: emitter.resources(offered, true),
  };
}

class PythonEmitter {
  constructor(
    private readonly api: ApiModel,
    private readonly types: PythonTypes,
  ) {}

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
        ...(operation.result.kind === 'file' ? ['file=True'] : []),
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
    const groups = byResource(operations);
    const own = groups.get('') ?? [];
    groups.delete('');
    const bases = [...new Set([...groups.keys()].map((name) => prefix + (BASES[name] ?? 'Resource')))];
    const classes = [...groups].map(([name, methods]) =>
      [
        `class ${prefix}${pascal(name)}(${prefix}${BASES[name] ?? 'Resource'}):\n`,
        `    """The methods of \`client.${name}\`."""\n\n`,
        methods.flatMap((operation) => this.#methods(operation, async)).join('\n'),
      ].join(''),
    );
    const attributes = [...groups.keys()].map(
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

  /** The method of an operation, and the one that iterates over all its pages. */
  #methods(operation: Operation, async: boolean): string[] {
    const name = operation.method.join('_');
    const head = async ? 'async def' : 'def';
    const run = async ? 'return await self._caller.call(' : 'return self._caller.call(';
    const method = this.#method(operation, `${head} ${name}`, this.#result(operation), run, '');
    if (!operation.page) return [method];
    const iterator = `${async ? 'Async' : ''}Iterator[${this.types.expression(operation.page.item, 'response', 'types.')}]`;
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
      const text = this.types.expression(type, 'request', 'types.');
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

  #result(operation: Operation): string {
    return this.types.expression(operation.result, 'response', 'types.');
  }
}

const constant = ({ id }: Operation): string => words(id).join('_').toUpperCase();
