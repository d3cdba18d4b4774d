import { SEED_EXPECTED } from '@understudy/sync-request';
import { ValidateBy } from 'class-validator';

import { expected } from './kind-of.js';

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
