import { withCompositions, type Generators } from '@understudy/generator';
import { contentHash } from '../models/model-store.js';
import { type JobComposition, SyncJobError } from '@understudy/sync-job';

/**
 * The generators that a job's rules may use: those that ship, which no other can replace, and the registered compositions
 * that came with the command.
 * @throws SyncJobError rule_invalid for one that is not what its hash says
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
      { code: 'rule_invalid' },
      { cause: new Error(`${use} is not what its hash says`) },
    );
  }
  try {
    return JSON.parse(definitionJson);
  } catch (cause) {
    throw new SyncJobError({ code: 'rule_invalid' }, { cause });
  }
}
