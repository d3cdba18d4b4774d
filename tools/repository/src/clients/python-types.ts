import type { ApiModel, Field, ObjectType, Type } from './api-model.js';
import { NamedTypes } from './named-types.js';
import { byText, docstring, HEAD, identifier, list, quote } from './python-text.js';
import { pascal } from './read-api.js';

/** The types of the client for Python. A request has none, because its fields are keyword arguments. */
export class PythonTypes {
  /** The objects of responses, and those within requests. */
  readonly #objects: readonly ObjectType[];
  /** The name for each list of at least two known values. The key is the list as JSON. */
  readonly #enums: ReadonlyMap<string, string>;

  constructor(api: ApiModel) {
    const { objects, enums } = reachableTypes(api);
    this.#objects = objects;
    this.#enums = enums;
  }

  /** The module with all types. */
  module(): string {
    const aliases = [...this.#enums].map(([values, name]) => {
      const known = list('Literal[', (JSON.parse(values) as string[]).map(quote), ']', 1);
      return `${name} = Union[\n    ${known},\n    str,\n]\n`;
    });
    const names = [...this.#enums.values(), ...this.#objects.map(({ name }) => name), 'File'].sort(byText);
    return [
      `"""The types of requests and responses.\n\n${HEAD}\n\nA response is a dictionary and may contain more fields than its type. A text with known\nvalues may have any other value.\n"""\n`,
      'from __future__ import annotations\n',
      'from typing import Any, BinaryIO, Literal, Mapping, Sequence, TypedDict, Union\n',
      `__all__ = ${list('[', names.map(quote), ']', 0)}\n`,
      '# The bytes of a file, or an open binary file.\nFile = Union[bytes, BinaryIO]\n',
      aliases.join('\n'),
      `\n${this.#objects.map((type) => this.#typedDict(type)).join('\n\n')}`,
    ].join('\n');
  }

  #typedDict({ name, doc, usage, fields }: ObjectType): string {
    const body = (some: readonly Field[]): string =>
      some
        .map(
          (field) =>
            `    ${identifier(field.name)}: ${this.expression(field.type, usage)}\n${docstring(field.doc, 4)}`,
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

  /**
   * The type as an expression of Python. A list that is only sent can be any sequence.
   * @param scope a prefix for the names of types
   */
  expression(type: Type, usage: ObjectType['usage'], scope = ''): string {
    const inner = (of: Type): string => this.expression(of, usage, scope);
    const sent = usage === 'request';
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
        return sent ? `${scope}File` : 'bytes';
    }
  }

  #literal(values: readonly string[], scope: string): string {
    const name = this.#enums.get(JSON.stringify(values));
    return name === undefined ? 'str' : scope + name;
  }
}

/**
 * Collects the types that are reachable from the operations. A union of objects is represented by its merged type. A
 * list of values is named after the first field that has it: `SyncJobStatus`.
 */
function reachableTypes(api: ApiModel): { objects: ObjectType[]; enums: Map<string, string> } {
  const types = new NamedTypes(api);
  const objects = new Map<string, ObjectType>();
  const enums = new Map<string, string>();
  const visit = (type: Type, name: string): void => {
    if (type.kind === 'string' && type.values && type.values.length > 1) {
      const key = JSON.stringify(type.values);
      if (!enums.has(key)) enums.set(key, unused(enums, name));
    } else if (type.kind === 'object') visitObject(type.name);
    else if (type.kind === 'union' && type.merged) visitObject(type.merged);
    else if (type.kind === 'union') type.of.forEach((each) => visit(each, name));
    else if (type.kind === 'list') visit(type.of, name.replace(/s$/, ''));
    else if (type.kind === 'nullable' || type.kind === 'map') visit(type.of, name);
  };
  const visitObject = (name: string): void => {
    if (objects.has(name)) return;
    const type = types.get(name);
    objects.set(name, type);
    const subject = name.replace(/^(Listed|ListModelsResult)/, '').replace(/Request$/, '');
    for (const field of type.fields) visit(field.type, subject + pascal(field.name));
  };
  // The names follow from the responses, because their types have the shortest names.
  for (const { result, id } of api.operations) visit(result, `${pascal(id)}Result`);
  // The format of generated records is no parameter: each has a method.
  for (const operation of api.operations)
    for (const field of [...(operation.body?.type.fields ?? []), ...operation.query])
      if (field.name !== 'format') visit(field.type, pascal(operation.id) + pascal(field.name));
  return { objects: [...objects.values()], enums };
}

function unused(enums: ReadonlyMap<string, string>, name: string): string {
  if ([...enums.values()].includes(name)) throw new Error(`two lists of values are named ${name}`);
  return name;
}
