import { type Declaration, type FieldProblem, readDeclared } from '@understudy/sync-job';
import { ValidateBy } from 'class-validator';

import { Optional } from './field-validators.js';

/** The name of the validator of declared fields. */
const DECLARED = 'isDeclared';

/** Makes the declaration of a shared library the validator and the description of a field. */
export function Declared(declaration: Declaration): PropertyDecorator {
  const validate = (value: unknown) => problemsOfDeclared(declaration, value, '').length === 0;
  return ValidateBy({ name: DECLARED, constraints: [declaration], validator: { validate } });
}

/** Returns a DTO whose fields are those of a declaration. The fields of `T` are the same. */
export function declaredDto<T extends object>({ properties = {}, required = [] }: Declaration): new () => T {
  const dto = class {};
  for (const [name, declaration] of Object.entries(properties)) {
    if (!required.includes(name)) Optional()(dto.prototype, name);
    Declared(declaration)(dto.prototype, name);
  }
  return dto as new () => T;
}

/** Returns the declaration of a field from the metadata of its validators; undefined if it has none. */
export function declarationOf(
  validators: readonly { readonly name?: string | undefined; readonly constraints?: unknown[] | undefined }[],
): Declaration | undefined {
  const own = validators.find(({ name }) => name === DECLARED);
  return own?.constraints?.[0] as Declaration | undefined;
}

export function problemsOfDeclared(declaration: Declaration, value: unknown, path: string): FieldProblem[] {
  const problems: FieldProblem[] = [];
  readDeclared(declaration, value, path, problems);
  return problems;
}
