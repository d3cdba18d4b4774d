import type { UniqueGenerator } from './compile-context.js';
import { DefinitionError, type Problem } from '../definition/errors.js';

/**
 * Warns about generators that may run out of new values in `rows` rows, with one value per row.
 * @throws DefinitionError for generators that must run out, because they have fewer values than there are
 * rows
 */
export function checkUniqueVariety(uniques: readonly UniqueGenerator[], rows: number): readonly Problem[] {
  const warnings: Problem[] = [];
  const certain: Problem[] = [];
  for (const { path, nullRate, variety } of uniques) {
    const { most, easy } = variety() ?? { most: Infinity, easy: Infinity };
    if (rows > most && nullRate === 0) {
      certain.push({
        path,
        message:
          `unique cannot give ${rows} different values: there are at most ${most}. Let the generator ` +
          'produce more values, or request fewer',
      });
    } else if (rows * (1 - nullRate) > easy) {
      warnings.push({
        path,
        message:
          `unique may run out of values: after about ${easy} different values most draws repeat one, ` +
          `and ${rows} records are requested. Let the generator produce more values, or request fewer`,
      });
    }
  }
  if (certain.length > 0) throw new DefinitionError(certain);
  return warnings;
}
