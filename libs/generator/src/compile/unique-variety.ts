import type { UniqueGenerator } from './compile-context.js';
import { DefinitionError, type Problem } from '../definition/errors.js';

/**
 * Says of generators, each asked once a row, which may run out of new values in so many rows.
 * @throws DefinitionError for those that must: they have fewer values than there are rows
 */
export function checkUniqueVariety(uniques: readonly UniqueGenerator[], rows: number): readonly Problem[] {
  const warnings: Problem[] = [];
  const certain: Problem[] = [];
  for (const { path, nullRate, variety } of uniques) {
    const { most, easy } = variety() ?? { most: Infinity, easy: Infinity };
    if (rows > most && nullRate === 0) {
      certain.push({
        path,
        message: `unique cannot give ${rows} different values: there are no more than ${most}. Let the generator make more, or ask for fewer`,
      });
    } else if (rows * (1 - nullRate) > easy) {
      warnings.push({
        path,
        message: `unique may run dry: after about ${easy} different values most draws repeat one, and ${rows} records are asked for. Let the generator make more, or ask for fewer`,
      });
    }
  }
  if (certain.length > 0) throw new DefinitionError(certain);
  return warnings;
}
