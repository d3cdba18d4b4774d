import { ParameterFault } from '../definition/errors.js';
import { joinPath, own, setOwn, type JsonObject } from '../definition/json-value.js';
import { checkNames, checkValue, type ParamsManifest } from './params-manifest.js';

/** The params of one generator, checked against its manifest and completed with defaults. */
export class Parameters {
  private readonly values: Record<string, unknown> = {};

  /** @throws ParameterFault for the first param that is unknown, missing or invalid */
  constructor(
    private readonly given: JsonObject,
    manifest: ParamsManifest,
    readonly path: string,
  ) {
    checkNames(given, manifest, path);
    for (const [key, declaration] of Object.entries(manifest)) {
      setOwn(this.values, key, checkValue(own(given, key), declaration, joinPath(path, key)));
    }
  }

  at(key: string): string {
    return joinPath(this.path, key);
  }

  /** Returns an error for the caller to throw. */
  fault(key: string, reason: string): ParameterFault {
    return new ParameterFault(this.at(key), reason);
  }

  /** Returns whether the definition itself contains the param with a value other than null. */
  has(key: string): boolean {
    return (own(this.given, key) ?? null) !== null;
  }

  raw(key: string): unknown {
    return own(this.values, key);
  }

  number(key: string): number {
    return this.raw(key) as number;
  }

  integer(key: string): number {
    return this.raw(key) as number;
  }

  boolean(key: string): boolean {
    return this.raw(key) as boolean;
  }

  string(key: string): string {
    return this.raw(key) as string;
  }

  /** Returns null if the param is absent and has no default. */
  array(key: string): readonly unknown[] | null {
    return this.raw(key) as readonly unknown[] | null;
  }

  /** Returns null if the param is absent and has no default. */
  object(key: string): JsonObject | null {
    return this.raw(key) as JsonObject | null;
  }
}
