import { ValidateBy } from 'class-validator';

import { expected } from './kind-of.js';

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
