import { execFile } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  cleanUpOnExit,
  findBinaries,
  postgresUser,
  reachableFolder,
  startPostgres,
  stopProcess,
} from '@understudy/local-system';
import type { TestServices } from './test-services.js';

const run = promisify(execFile);

/** A hot standby of a private server. */
export interface Standby {
  /** A superuser URL without a database name. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Copies a private server with pg_basebackup, and starts the copy as a hot standby. */
export async function startStandby({
  postgresUrl,
  postgresBinFolder,
  folder,
}: TestServices): Promise<Standby> {
  const { postgres: binaries } = findBinaries();
  if (binaries === undefined) throw new Error('expected the binaries of a server that already runs');
  const user = postgresUser();
  const parent = reachableFolder(join(folder, 'standby'), user);
  mkdirSync(parent, { recursive: true });
  chmodSync(parent, 0o711);
  const dataFolder = join(parent, 'data');
  mkdirSync(dataFolder, { mode: 0o700 });
  if (user) chownSync(dataFolder, user.uid, user.gid);
  const arguments_ = ['--checkpoint=fast', '--write-recovery-conf', `--pgdata=${dataFolder}`, '--no-sync'];
  await run(join(postgresBinFolder, 'pg_basebackup'), [...arguments_, `--dbname=${postgresUrl}/postgres`], {
    cwd: dataFolder,
    ...(user && { uid: user.uid, gid: user.gid }),
  });
  const server = await startPostgres({
    dataFolder,
    binaries: { ...binaries, binFolder: postgresBinFolder },
    logFile: join(folder, 'standby.log'),
    password: decodeURIComponent(new URL(postgresUrl).password),
    durable: false,
  });
  const callOff = cleanUpOnExit([server.process.pid], [parent]);
  return {
    url: server.url,
    stop: async () => {
      await stopProcess(server.process, { signal: 'SIGQUIT', graceMs: 3_000 });
      rmSync(parent, { recursive: true, force: true, maxRetries: 5 });
      callOff();
    },
  };
}
