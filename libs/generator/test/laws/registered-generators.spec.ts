import { CORE_REGISTRY } from '../../src/types/core-registry.js';
import { asText } from '../schema-harness.js';
import { declarationLaws } from './declaration-laws.js';
import { cellLaws, generatorLaws } from './generator-laws.js';
import { rangeLaws } from './range-laws.js';

// Tests every registered generator. A new generator is tested without a change in this file.
for (const type of CORE_REGISTRY.all()) {
  declarationLaws(type);
  rangeLaws(type);
  for (const example of type.examples) {
    generatorLaws(asText(example), example);
    if (type.countsRows !== true) cellLaws(asText(example), example);
  }
}
