import { expectedButGot } from '@understudy/field-problems';

export { expectedButGot, kindOf } from '@understudy/field-problems';

/** Message of a class-validator rule: `expected an integer from 1 to 100, got a string of 3 characters`. */
export function expected(what: string): { message: (args: { value: unknown }) => string } {
  return { message: ({ value }) => expectedButGot(what, value) };
}
