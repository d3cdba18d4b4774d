import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  startSystem,
  stopSystem,
  systemStatus,
  withSystemLock,
  type ServiceStatus,
  type SystemInfo,
  type SystemOptions,
} from '@understudy/local-system';
import { CHECKOUT, checkoutPrograms, ensureBinaries } from '@understudy/testing/provision';
import { externalServices } from './external-services.js';

export interface StackOptions extends Pick<
  SystemOptions,
  'plan' | 'settings' | 'agentSettings' | 'offerDatabases' | 'log' | 'signal'
> {
  /** Folder of this stack. Default: `.understudy` in the checkout. */
  readonly dataDir?: string;
}

/** Everything that is needed to use the stack, as `stack up --json` prints it. Contains secrets. */
export type StackInfo = SystemInfo;

/**
 * Starts all parts of the stack that do not run yet, from this checkout, and waits until every part responds. If a
 * part fails to start, everything that this call started is stopped again.
 * @throws LocalSystemError
 */
export async function stackUp({ dataDir, ...options }: StackOptions = {}): Promise<StackInfo> {
  const folder = stackFolder({ dataDir });
  const log = options.log ?? (() => undefined);
  const external = await externalServices();
  return withSystemLock(folder, { log }, () =>
    startSystem({
      ...options,
      ...{ folder, external, programs: checkoutPrograms() },
      findServices: (services) => ensureBinaries({ log, services }),
    }),
  );
}

/**
 * Stops every process of the stack and waits until all have ended. The data is kept. Does nothing if no
 * process runs.
 */
export async function stackDown(options: StackOptions = {}): Promise<void> {
  const folder = stackFolder(options);
  if (!existsSync(folder)) return;
  await withSystemLock(folder, options, () => stopSystem(folder));
}

/** Probes every part of the stack. @returns undefined if no stack was ever started in this folder */
export function stackStatus(options: StackOptions = {}): Promise<ServiceStatus[] | undefined> {
  return systemStatus(stackFolder(options));
}

export function stackFolder(options: Pick<StackOptions, 'dataDir'>): string {
  return resolve(options.dataDir ?? join(CHECKOUT, '.understudy'));
}
