import { CORE_REGISTRY, compileSchema } from '@understudy/generator';

import { summaryOf } from '../summary.js';
import { benchOptions } from './schemas/bench-options.js';

const WARM_UP_CELLS = 20_000;
const BATCH_CELLS = 2_000;
const RUN_MS = 80;
/** Maximum number of values from one cursor. One request has the same maximum. */
const CELLS_A_CURSOR = 1_000_000;

/**
 * Measures every registered generator as the only column of a schema. The time includes moving the cursor to
 * each row.
 * @returns the results, sorted by name
 */
export function cellSpeeds(rounds: number) {
  const options = benchOptions();
  const runs = CORE_REGISTRY.all()
    .map(({ name, examples }) => {
      const definition = examples[0];
      if (definition === undefined) throw new Error(`expected an example of ${name}, found none`);
      const plan = compileSchema({ generators: { it: definition }, output: ['it'] }, options);
      const run = (milliseconds: number, leastCells: number): number => {
        let cursor = plan.open(1);
        const started = performance.now();
        let made = 0;
        let elapsed = 0;
        while (elapsed < milliseconds || made < leastCells) {
          if (made % CELLS_A_CURSOR === 0) cursor = plan.open(1);
          for (const end = made + BATCH_CELLS; made < end; made++) cursor.moveTo(made);
          elapsed = performance.now() - started;
        }
        return made / (elapsed / 1000);
      };
      run(0, WARM_UP_CELLS);
      return { name, definition, run, speeds: [] as number[] };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  for (let round = 0; round < rounds; round++)
    for (const { run, speeds } of runs) speeds.push(run(RUN_MS, 0));
  return runs.map(({ name, definition, speeds }) => ({
    /** Name of the generator in the registry. */
    generator: name,
    /** Definition that was measured: the generator's first example. */
    definition,
    cells_per_second: summaryOf(speeds),
  }));
}
