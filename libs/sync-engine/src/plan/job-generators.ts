import { parseExactJson } from '@understudy/expression';
import { withCompositions, type Generators } from '@understudy/generator';
import { contentHash } from '../models/model-store.js';
import { type JobComposition, SyncJobError } from '@understudy/sync-job';

/**
 * Returns the generators that a job's rules may use: the built-in generators and the command's compositions.
 * A composition cannot replace a built-in generator.
 * @throws SyncJobError composition_invalid for a composition that does not match its hash
 */
export function jobGenerators(shipped: Generators, compositions: readonly JobComposition[]): Generators {
  const definitions = new Map(compositions.map((composition) => [composition.use, verified(composition)]));
  return withCompositions(shipped, {
    names: () => [...definitions.keys()],
    read: (use) => definitions.get(use),
  });
}

function verified({ use, definitionJson, hash }: JobComposition): unknown {
  if (contentHash(new TextEncoder().encode(definitionJson)) !== hash) {
    throw new SyncJobError(
      { code: 'composition_invalid' },
      { cause: new Error(`the composition ${use} does not match its hash`) },
    );
  }
  try {
    return parseExactJson(definitionJson);
  } catch (cause) {
    throw new SyncJobError({ code: 'composition_invalid' }, { cause });
  }
}
