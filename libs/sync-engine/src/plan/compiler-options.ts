import type { BuiltinLibrary } from '@understudy/builtin-models';
import { parseExactJson } from '@understudy/expression';
import { withCompositions, type Generators } from '@understudy/generator';
import { contentHash } from '../models/model-store.js';
import { type JobComposition, type SyncJobCommand, SyncJobError } from '@understudy/sync-job';
import type { SyncPolicy } from '../policy.js';
import type { CompileMasksOptions } from './compile-masks.js';

/**
 * Returns the options with which a job's rules are compiled.
 * @param models finds a model by its id. Returns undefined if the model does not exist.
 */
export function compilerOptions(
  { seed, referenceInstantMs, compositions }: SyncJobCommand,
  {
    keys,
    builtin,
    policy,
  }: {
    readonly keys: { readonly maskingKey: Uint8Array };
    readonly builtin: BuiltinLibrary;
    readonly policy: Pick<SyncPolicy, 'protectsColumns'>;
  },
  models: CompileMasksOptions['models'],
): CompileMasksOptions {
  return {
    job: { maskingKey: keys.maskingKey, seed, referenceInstantMs },
    models,
    refusesChosenText: policy.protectsColumns,
    assets: builtin.assets,
    registry: jobGenerators(builtin.registry, compositions),
  };
}

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
