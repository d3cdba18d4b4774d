import type { JsonSchema } from '../platform/http/dto/documented.js';
import { nameOfSchema } from '../platform/http/operations/schemas.js';

/** Collects the named schemas of a document and replaces their uses by references. */
export class NamedSchemas {
  private readonly byName = new Map<string, { readonly source: object; readonly schema: unknown }>();

  /**
   * Converts a schema to plain JSON in which named schemas are references.
   * @throws Error if two different schemas have the same name
   */
  refer(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map((item: unknown) => this.refer(item));
    if (typeof schema !== 'object' || schema === null) return schema;
    const name = nameOfSchema(schema);
    if (name === undefined) return this.copy(schema);
    const known = this.byName.get(name);
    if (known && known.source !== schema) throw new Error(`two schemas have the name ${name}`);
    if (!known) this.byName.set(name, { source: schema, schema: this.copy(schema) });
    return { $ref: `#/components/schemas/${name}` };
  }

  /** Makes properties of a named schema optional. Does nothing if `refer` was not called with the schema. */
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
