import type { GeneratorType } from '../../registry/generator-type.js';
import { booleanType } from './boolean.js';
import { dateBetweenType, datetimeBetweenType, timeBetweenType, timestampType } from './dates.js';
import { digitsType } from './digits.js';
import { nanoidType, ulidType, uuidV4Type, uuidV7Type } from './identifiers.js';
import { intBetweenType } from './int-between.js';
import { exponentialType, floatBetweenType, gaussianType } from './reals.js';
import { sequenceType } from './sequence.js';

/** The algorithms of `svc`. They need no data source and give the same values in every locale. */
export const SVC_TYPES: readonly GeneratorType[] = [
  uuidV4Type,
  uuidV7Type,
  ulidType,
  nanoidType,
  intBetweenType,
  floatBetweenType,
  booleanType,
  datetimeBetweenType,
  dateBetweenType,
  timeBetweenType,
  timestampType,
  sequenceType,
  gaussianType,
  exponentialType,
  digitsType,
];
