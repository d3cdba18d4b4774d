import { availableParallelism } from 'node:os';
import { BuiltinLibrary } from '@understudy/builtin-models';
import { type ConnectionTarget, type EngineLog, parseConnectionUrl } from '@understudy/postgres';
import {
  announceSteps,
  defaultMaskingThreads,
  ModelStore,
  type OnLeaseRenewed,
  type SyncEnvironment,
  type SyncPolicy,
} from '@understudy/sync-engine';
import { environment } from '../../config/environment.js';
import type { JobFile } from '../job-file/job-file.js';
import type { StateFolder } from '../state/state-folder.js';

export interface EngineOptions {
  readonly connections: number;
  readonly chunkMb: number;
  /** In seconds; the engine's default without it. */
  readonly lockWait?: number | undefined;
  readonly pgBinDir?: string | undefined;
}

/** Long enough for somebody to see that a run is gone, and to go on with it. */
const SNAPSHOT_HELD_MS = 5 * 60_000;

/** The engine as a command runs it: whoever wrote the job file may do what the databases let them do. */
export function engineEnvironment(
  { library }: JobFile,
  state: StateFolder,
  log: EngineLog,
  { connections, chunkMb, lockWait, pgBinDir }: EngineOptions,
): SyncEnvironment {
  return {
    policy: POLICY,
    keys: state,
    tools: { pgBinDir, searchPath: environment()['PATH'] },
    copy: {
      connections,
      maskingThreads: defaultMaskingThreads(availableParallelism()),
      chunkBytes: chunkMb * 1_000_000,
      snapshotHeldMs: SNAPSHOT_HELD_MS,
      ...(lockWait === undefined ? {} : { lockWaitMs: lockWait * 1_000 }),
    },
    models: new ModelStore(state.path, state),
    hostedModels: { files: () => Promise.resolve(library.modelFiles) },
    builtin: new BuiltinLibrary(),
    now: () => Date.now(),
    log,
    reached: announceSteps(log),
  };
}

const POLICY: SyncPolicy = {
  allowWhere: true,
  reportsNames: true,
  refusesPreserve: () => false,
  rejectsUnlisted: false,
  trainingFloor: () => 1,
  resolveDatabase: (reference): ConnectionTarget => {
    if (reference.kind === 'url') return parseConnectionUrl(reference.url);
    throw new Error('a job file has no databases of agents');
  },
};

const EVERY_MS = 10_000;

/** While this process lives, what it holds is renewed again and again, as an agent's lease would be. */
export const renewRegularly: OnLeaseRenewed = (listener) => {
  const timer = setInterval(listener, EVERY_MS);
  return () => {
    clearInterval(timer);
  };
};
