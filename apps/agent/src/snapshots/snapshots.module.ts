import { statfs } from 'node:fs/promises';

import { Logger, Module } from '@nestjs/common';
import { announceSnapshotSteps, SnapshotRunner } from '@understudy/snapshot-engine';
import type { SyncSettings } from '@understudy/sync-engine';

import { AgentConfiguration } from '../config/agent-configuration.js';
import { Policy } from '../policy/policy.js';
import { SYNC_SETTINGS } from '../config/configuration.module.js';
import { nestEngineLog } from '../sync/sync.module.js';
import { AgentSnapshotStore } from './agent-snapshot-store.js';
import { openSnapshotStore } from './open-snapshot-store.js';
import { prepareSnapshotFolders, type SnapshotFolders } from './snapshot-folders.js';

const SNAPSHOT_FOLDERS = Symbol('SNAPSHOT_FOLDERS');

const log = nestEngineLog(new Logger('SnapshotEngine'));

/** Provides the snapshot runner and the snapshot store. Settings and policy come from global modules. */
@Module({
  providers: [
    { provide: SNAPSHOT_FOLDERS, inject: [AgentConfiguration], useFactory: prepareSnapshotFolders },
    { provide: AgentSnapshotStore, inject: [AgentConfiguration], useFactory: openSnapshotStore },
    {
      provide: SnapshotRunner,
      inject: [SYNC_SETTINGS, Policy, AgentSnapshotStore, SNAPSHOT_FOLDERS],
      useFactory: (
        settings: SyncSettings,
        policy: Policy,
        { store, keys }: AgentSnapshotStore,
        folders: SnapshotFolders,
      ) =>
        new SnapshotRunner({
          policy,
          store,
          keys,
          tools: settings,
          connections: settings.connections,
          ...folders,
          graceMs: SESSIONS_LEAVE_MS,
          freeBytesAt,
          now: () => Date.now(),
          log,
          reached: announceSnapshotSteps(log),
        }),
    },
  ],
  exports: [SnapshotRunner, AgentSnapshotStore],
})
export class SnapshotsModule {}

/**
 * Time in milliseconds that a restore gives other sessions to disconnect from its target. The restore waits
 * once before it loads the archive and once before its switch.
 */
const SESSIONS_LEAVE_MS = 10_000;

async function freeBytesAt(folder: string): Promise<number | undefined> {
  const disk = await statfs(folder).catch(() => undefined); // the folder may be on another machine
  return disk && disk.bavail * disk.bsize;
}
