/** The id of a registered generator: `@<namespace>/<package>:<name>`, optionally followed by `@<version>`. */
export interface GeneratorId {
  readonly name: string;
  /**
   * Undefined if the id has no version. The operation decides whether the id then selects all versions or the
   * highest one.
   */
  readonly version: string | undefined;
}

const FORM = /^(@[^@/]+\/[^@/]+)(?:@([^@/]+))?$/;
const LONGEST = 300;

/** @returns undefined if the text does not have the form of an id */
export function parseGeneratorId(text: string): GeneratorId | undefined {
  if (text.length > LONGEST) return undefined;
  const [, name, version] = FORM.exec(text) ?? [];
  return name === undefined ? undefined : { name, version };
}

export function generatorId(name: string, version: string): string {
  return `${name}@${version}`;
}
