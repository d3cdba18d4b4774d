/** `@<namespace>/<package>:<name>` and, after another `@`, a version. */
export interface GeneratorId {
  readonly name: string;
  /** Undefined means all versions, or the highest one. */
  readonly version: string | undefined;
}

const FORM = /^(@[^@/]+\/[^@/]+)(?:@([^@/]+))?$/;
const LONGEST = 300;

/** @returns undefined for what no registered generator is called */
export function parseGeneratorId(text: string): GeneratorId | undefined {
  if (text.length > LONGEST) return undefined;
  const [, name, version] = FORM.exec(text) ?? [];
  return name === undefined ? undefined : { name, version };
}

export function generatorId(name: string, version: string): string {
  return `${name}@${version}`;
}
