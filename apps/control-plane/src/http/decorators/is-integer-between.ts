import { ValidateBy } from 'class-validator';

import { expected } from '../kind-of.js';

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

/** A seed: 53 bits, so that every JSON reader keeps it. */
export const IsSeed = (): PropertyDecorator =>
  IsIntegerBetween(0, Number.MAX_SAFE_INTEGER, 'an integer from 0 to 9007199254740991');
