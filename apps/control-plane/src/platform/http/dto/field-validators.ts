import {
  expectedButGot,
  SEED_EXPECTED,
  INSTANT_EXPECTED,
  INSTANT_FORM,
  parseInstant,
} from '@understudy/sync-job';
import { ValidateIf, Allow, ValidateBy } from 'class-validator';

import { isName } from './comparable-text.js';

/**
 * Returns a class-validator message such as `expected an integer from 1 to 100, got a string of 3
 * characters`.
 */
export function expected(what: string): { message: (args: { value: unknown }) => string } {
  return { message: ({ value }) => expectedButGot(what, value) };
}

/** Makes a field optional. Unlike class-validator's `@IsOptional`, it validates null like any other value. */
export const Optional = (): PropertyDecorator => ValidateIf((_, value: unknown) => value !== undefined);

/** Allows any JSON value or none. The feature that reads the field validates it. */
export const Anything = (): PropertyDecorator => Allow();

/** Expects a JSON integer from `min` to `max`, both included. */
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

/** Expects a seed: an integer that every JSON parser reads without loss. */
export const IsSeed = (): PropertyDecorator =>
  IsIntegerBetween(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, SEED_EXPECTED);

/** Expects a JSON number from `min` to `max`, both included. Accepts fractions. */
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

/** Expects a name for readers: at most `max` characters, of which at least one is visible. */
export const IsName = (max: number): PropertyDecorator =>
  ValidateBy(
    {
      name: 'isName',
      constraints: [max],
      validator: { validate: (value: unknown) => isName(value, max) },
    },
    expected(`a string of 1 to ${max} characters, not all of them invisible`),
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
