import type { Generators, GeneratorType } from './generator-type.js';

const NAME = /^@[a-z0-9][a-z0-9-]*\/[a-z0-9][a-z0-9-]*:[a-z0-9][a-z0-9_.-]*$/;
const LONGEST_NAME = 200;

/** Returns whether a text has the form `@<namespace>/<package>:<name>`, in lower case. */
export function isGeneratorName(text: string): boolean {
  return text.length <= LONGEST_NAME && NAME.test(text);
}

/** An immutable set of generators by name. */
export class Registry implements Generators {
  private constructor(private readonly types: ReadonlyMap<string, GeneratorType>) {}

  static readonly EMPTY = new Registry(new Map());

  /**
   * Returns a registry with further generators. @throws RangeError if a name is malformed or already
   * registered
   */
  with(...added: readonly GeneratorType[]): Registry {
    const types = new Map(this.types);
    for (const type of added) {
      if (!isGeneratorName(type.name))
        throw new RangeError('a generator name must have the form @acme/people:nickname');
      if (types.has(type.name)) throw new RangeError(`${type.name} is already registered`);
      types.set(type.name, type);
    }
    return new Registry(types);
  }

  find(name: string): GeneratorType | undefined {
    return this.types.get(name);
  }

  names(): string[] {
    return [...this.types.keys()];
  }

  /** Returns the generators in the order of registration. */
  all(): GeneratorType[] {
    return [...this.types.values()];
  }
}
