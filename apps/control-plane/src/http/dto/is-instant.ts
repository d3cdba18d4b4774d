import { ValidateBy } from 'class-validator';

import { INSTANT_EXPECTED, INSTANT_FORM, parseInstant } from '../instant.js';
import { expected } from './kind-of.js';

export const IsInstant = (): PropertyDecorator =>
  ValidateBy(
    {
      name: 'isInstant',
      constraints: [INSTANT_FORM],
      validator: { validate: (value: unknown) => parseInstant(value) !== undefined },
    },
    expected(INSTANT_EXPECTED),
  );
