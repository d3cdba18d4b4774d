import type { ApiModel, ObjectType, Type } from './api-model.js';

/** The named types of an API for a language without unions, which uses the merged type of a union. */
export class NamedTypes {
  protected readonly types: ReadonlyMap<string, ObjectType>;

  constructor(api: ApiModel) {
    this.types = new Map(api.types.map((type) => [type.name, type]));
  }

  /** @throws Error if the API has no such type */
  get(name: string): ObjectType {
    const type = this.types.get(name);
    if (type === undefined) throw new Error(`expected a type ${name}`);
    return type;
  }

  /** Returns the types that the given ones contain, and these, in the order of the document. */
  reachable(types: readonly Type[]): ObjectType[] {
    const found = new Set<string>();
    const visit = (type: Type): void => {
      if ('of' in type && !Array.isArray(type.of)) visit(type.of as Type);
      const name = objectName(type);
      if (name === undefined || found.has(name)) return;
      found.add(name);
      this.get(name).fields.forEach((field) => visit(field.type));
    };
    types.forEach(visit);
    return [...this.types.values()].filter(({ name }) => found.has(name));
  }
}

/** Returns the name of an object type, or of the merged type of a union of objects. */
export function objectName(type: Type): string | undefined {
  return type.kind === 'object' ? type.name : type.kind === 'union' ? type.merged : undefined;
}
