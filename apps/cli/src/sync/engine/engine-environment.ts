import { availableParallelism } from 'node:os';
import { builtinLibrary } from '@understudy/builtin-models/node';
import { type ConnectionTarget, type EngineLog, parseConnectionUrl } from '@understudy/postgres';
import {
  announceSteps,
  defaultMaskingThreads,
  ModelStore,
  PERMISSIVE_RULES,
  type KeepSnapshot,
  type SyncEnvironment,
  type SyncPolicy,
  type SyncRules,
} from '@understudy/sync-engine';
import type { PolicyFields } from '@understudy/sync-job';
import { environment } from '../../config/environment.js';
import type { JobFile } from '../job-file/job-file.js';
import type { StateFolder } from '../state/state-folder.js';

export interface EngineOptions {
  readonly connections: number;
  readonly chunkMb: number;
  /** The longest wait for locks on tables, in seconds. Without it, the engine's default applies. */
  readonly lockWait?: number | undefined;
  readonly pgBinDir?: string | undefined;
}

/**
 * Time in milliseconds for which the PostgreSQL snapshot of a killed run stays open. A user can resume the
 * run during this time.
 */
const SNAPSHOT_HELD_MS = 5 * 60_000;

/**
 * Returns the engine's environment for a command. Its policy permits everything that the database roles permit,
 * because the user owns the job file. Only what the replacement of a whole database needs must be permitted there.
 */
export function engineEnvironment(
  { library, buildLogin, template, policy }: JobFile,
  state: StateFolder,
  log: EngineLog,
  { connections, chunkMb, lockWait, pgBinDir }: EngineOptions,
): SyncEnvironment {
  return {
    policy: {
      ...POLICY,
      rules: { ...POLICY.rules, ...rulesOf(policy) },
      resolveBuildLogin: () => buildLogin?.target,
      templateOf: () => template,
    },
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
    builtin: builtinLibrary(),
    now: () => Math.round(performance.now()),
    log,
    reached: announceSteps(log),
  };
}

function rulesOf(policy: PolicyFields) {
  return {
    allowSecurityDefiner: policy.allow_security_definer,
    allowLargeObjects: policy.allow_large_objects,
    allowForeignServers: policy.allow_foreign_servers,
    allowEndSessions: policy.allow_end_sessions,
    maxDatabaseBytes: policy.max_database_bytes ?? undefined,
  } satisfies Partial<SyncRules>;
}

const POLICY: SyncPolicy = {
  rules: { ...PERMISSIVE_RULES, allowSourceCode: 'report', allowSuperuserTarget: 'report' },
  refusesPreserve: () => false,
  protectsColumns: false,
  trainingFloor: () => 1,
  resolveDatabase: (reference): ConnectionTarget => {
    if (reference.kind === 'url') return parseConnectionUrl(reference.url);
    throw new Error('a job file cannot name the database of an agent');
  },
};

const EVERY_MS = 10_000;

/** Renews the snapshot every ten seconds until the returned function is called. */
export const renewRegularly: KeepSnapshot = (renew) => {
  const timer = setInterval(renew, EVERY_MS);
  return () => {
    clearInterval(timer);
  };
};
