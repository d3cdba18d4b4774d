import type { Field, Type } from './api-model.js';
import { wrapped } from './emitter-parts.js';
import { NamedTypes, objectName } from './named-types.js';

/** The types of a model, as PHP writes them. */
export class PhpTypes extends NamedTypes {
  /** Returns a phpdoc type. A request type is an array shape, a response type is a class. */
  doc(type: Type, usage: 'request' | 'response', indent = 0): string {
    const inner = (of: Type): string => this.doc(of, usage, indent);
    switch (type.kind) {
      case 'string':
        return [...(type.values ?? []).map((value) => `'${value}'`), 'string'].join('|');
      case 'integer':
        return 'int';
      case 'number':
        return usage === 'request' ? 'int|float' : 'float';
      case 'boolean':
        return 'bool';
      case 'list':
        return `list<${inner(type.of)}>`;
      case 'map':
        return `array<string, ${inner(type.of)}>`;
      case 'nullable':
        return `${inner(type.of)}|null`;
      case 'any':
        return 'mixed';
      case 'file':
        return 'string|resource|\\SplFileInfo';
      case 'object':
        return usage === 'response' ? type.name : this.shape(this.get(type.name).fields, indent);
      case 'union':
        if (usage === 'response' && type.merged !== undefined) return type.merged;
        return type.of.map((of) => this.doc(of, 'request', indent)).join('|');
    }
  }

  /** Returns an array shape, in one line if it is short. */
  shape(fields: readonly Field[], indent = 0): string {
    const entry = (field: Field, level: number): string =>
      `${field.name}${field.required ? '' : '?'}: ${this.doc(field.type, 'request', level)}`;
    const line = `array{${fields.map((field) => entry(field, indent)).join(', ')}}`;
    if (line.length + indent < 80 && !line.includes('\n')) return line;
    const pad = ' '.repeat(indent + 4);
    const lines = fields.map((field) => `${pad}${entry(field, indent + 4)},\n`);
    return `array{\n${lines.join('')}${' '.repeat(indent)}}`;
  }

  /** Returns the paths of all values in a request that can be objects, with `*` for each item or key. */
  objectPaths(fields: readonly Field[], prefix = ''): string[] {
    return fields.flatMap((field) => this.#paths(field.type, `${prefix}${field.name}`));
  }

  #paths(type: Type, path: string): string[] {
    switch (type.kind) {
      case 'object':
        return [path, ...this.objectPaths(this.get(type.name).fields, `${path}.`)];
      case 'map':
        return [path, ...this.#paths(type.of, `${path}.*`)];
      case 'list':
        return this.#paths(type.of, `${path}.*`);
      case 'nullable':
        return this.#paths(type.of, path);
      case 'union':
        return type.of.flatMap((of) => this.#paths(of, path));
      default:
        return [];
    }
  }

  /** Returns a list of the fields of a request with their documentation, nested ones included. */
  fieldList(fields: readonly Field[], prefix = ''): string[] {
    return fields.flatMap((field) => {
      const path = `${prefix}${field.name}`;
      const own = field.doc === '' ? [] : [`- \`${path}\`: ${field.doc}`];
      const [of, nested] =
        field.type.kind === 'list' ? [field.type.of, `${path}[].`] : [field.type, `${path}.`];
      return of.kind === 'object' ? [...own, ...this.fieldList(this.get(of.name).fields, nested)] : own;
    });
  }
}

/** Returns the type of a property. */
export function nativeType(type: Type): string {
  switch (type.kind) {
    case 'string':
      return 'string';
    case 'integer':
      return 'int';
    case 'number':
      return 'float';
    case 'boolean':
      return 'bool';
    case 'list':
    case 'map':
      return 'array';
    case 'nullable':
      return nativeType(type.of) === 'mixed' ? 'mixed' : `?${nativeType(type.of)}`;
    default:
      return objectName(type) ?? 'mixed';
  }
}

/** Returns the entry of a field in the table that decodes a response: a name, a class or a list of one. */
export function decodedType(type: Type): string {
  if (type.kind === 'list') return `[${decodedType(type.of)}]`;
  if (type.kind === 'nullable') return decodedType(type.of);
  const name = objectName(type);
  return name === undefined ? `'${type.kind === 'map' ? 'map' : nativeType(type)}'` : `${name}::class`;
}

/** Returns a doc comment. Each text is a paragraph or, if it begins with `- `, an item of a list. */
export function docComment(texts: readonly string[], tags: readonly string[], indent: string): string {
  const body = texts.flatMap((text) => text.split('\n')).map((text) => text.trim());
  const lines = body.flatMap((text) => wrapped(text, 106 - indent.length, text.startsWith('- ') ? '  ' : ''));
  if (lines.length > 0 && tags.length > 0 && texts.length > 0) lines.push('');
  lines.push(...tags.flatMap((tag) => tag.split('\n')));
  const safe = lines.map((line) => line.replaceAll('*/', '* /'));
  if (safe.length === 1) return `${indent}/** ${safe[0] ?? ''} */\n`;
  return `${indent}/**\n${safe.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}
