import { didYouMean } from '@understudy/expression';
import { ParameterFault } from '../../errors.js';
import { joinPath } from '../../json-path.js';
import { describe, own, type JsonObject } from '../../json-value.js';

/** Reads the parameters of one generator. Every method throws ParameterFault; strings are not coerced to numbers. */
export class Parameters {
  constructor(
    private readonly values: JsonObject,
    readonly path: string,
  ) {}

  at(key: string): string {
    return joinPath(this.path, key);
  }

  fault(key: string, reason: string): ParameterFault {
    return new ParameterFault(key === '' ? this.path : this.at(key), reason);
  }

  raw(key: string): unknown {
    return own(this.values, key);
  }

  only(...known: string[]): this {
    for (const key of Object.keys(this.values)) {
      if (known.includes(key)) continue;
      const list = known.length === 0 ? 'there are none' : `there are ${known.join(', ')}`;
      throw this.fault(key, `is no parameter of this generator (${list})${didYouMean(key, known)}`);
    }
    return this;
  }

  number(key: string, preset: number): number {
    const value = this.raw(key);
    if (value === undefined) return preset;
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    throw this.fault(key, `must be a number, got ${describe(value)}`);
  }

  integer(key: string, preset: number): number {
    const value = this.number(key, preset);
    if (Number.isSafeInteger(value)) return value;
    throw this.fault(key, `must be an integer of at most 2^53 - 1, got ${describe(value)}`);
  }

  boolean(key: string, preset: boolean): boolean {
    const value = this.raw(key);
    if (value === undefined) return preset;
    if (typeof value === 'boolean') return value;
    throw this.fault(key, `must be true or false, got ${describe(value)}`);
  }

  string(key: string, preset: string): string {
    const value = this.raw(key);
    if (value === undefined) return preset;
    if (typeof value === 'string') return value;
    throw this.fault(key, `must be a string, got ${describe(value)}`);
  }
}
