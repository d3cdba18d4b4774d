import type { JsonSchema } from '../http/dto/documented.js';
import { nameOfSchema } from './operation-description.js';

/** Schemas that the document keeps by name, and what refers to them. */
export class NamedSchemas {
  private readonly byName = new Map<string, { readonly source: object; readonly schema: unknown }>();

  /** @returns the schema as plain JSON, in which named ones are references */
  refer(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map((item: unknown) => this.refer(item));
    if (typeof schema !== 'object' || schema === null) return schema;
    const name = nameOfSchema(schema);
    if (name === undefined) return this.copy(schema);
    const known = this.byName.get(name);
    if (known && known.source !== schema) throw new Error(`two schemas are called ${name}`);
    if (!known) this.byName.set(name, { source: schema, schema: this.copy(schema) });
    return { $ref: `#/components/schemas/${name}` };
  }

  /** @param schema one that was referred to by its name */
  makeOptional(schema: object, properties: readonly string[]): void {
    const known = this.byName.get(nameOfSchema(schema) ?? '');
    if (properties.length === 0 || !known) return;
    const copy = known.schema as { required?: readonly string[] };
    copy.required = (copy.required ?? []).filter((name) => !properties.includes(name));
  }

  all(): JsonSchema {
    return Object.fromEntries([...this.byName].map(([name, { schema }]) => [name, schema]));
  }

  private copy(schema: object): unknown {
    return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, this.refer(value)]));
  }
}
