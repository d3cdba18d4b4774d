import {
  expectedButGot,
  SEED_EXPECTED,
  INSTANT_EXPECTED,
  INSTANT_FORM,
  parseInstant,
} from '@understudy/sync-job';
import { ValidateIf, Allow, ValidateBy } from 'class-validator';

/** Message of a class-validator rule: `expected an integer from 1 to 100, got a string of 3 characters`. */
export function expected(what: string): { message: (args: { value: unknown }) => string } {
  return { message: ({ value }) => expectedButGot(what, value) };
}

/** The field may be left out. Unlike class-validator's `@IsOptional`, null is a value like any other. */
export const Optional = (): PropertyDecorator => ValidateIf((_, value: unknown) => value !== undefined);

/** A field that may hold whatever JSON holds, or be left out: somebody else reads it. */
export const Anything = (): PropertyDecorator => Allow();

/** A JSON number; both bounds included. */
export const IsIntegerBetween = (
  min: number,
  max: number,
  what = `an integer from ${min} to ${max}`,
): PropertyDecorator =>
  ValidateBy(
    {
      name: 'isIntegerBetween',
      constraints: [min, max],
      validator: {
        validate: (value: unknown) =>
          Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max,
      },
    },
    expected(what),
  );

/** A seed: an integer that every JSON reader keeps. */
export const IsSeed = (): PropertyDecorator =>
  IsIntegerBetween(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, SEED_EXPECTED);

/** A JSON number, whole or not; both bounds included. */
export const IsNumberBetween = (min: number, max: number): PropertyDecorator =>
  ValidateBy(
    {
      name: 'isNumberBetween',
      constraints: [min, max],
      validator: {
        validate: (value: unknown) => typeof value === 'number' && value >= min && value <= max,
      },
    },
    expected(`a number from ${min} to ${max}`),
  );

export const IsInstant = (): PropertyDecorator =>
  ValidateBy(
    {
      name: 'isInstant',
      constraints: [INSTANT_FORM],
      validator: { validate: (value: unknown) => parseInstant(value) !== undefined },
    },
    expected(INSTANT_EXPECTED),
  );
