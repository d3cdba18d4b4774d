import { mkdirSync } from 'node:fs';
import { lock } from 'proper-lockfile';
import { packageCache } from '@understudy/local-system';

/** Runs the work under a lock, so that only one process of this user installs packages at a time. */
export async function withInstallLock<T>(log: (line: string) => void, work: () => Promise<T>): Promise<T> {
  const folder = packageCache();
  mkdirSync(folder, { recursive: true });
  const options = { stale: 30_000 };
  const release = await lock(folder, options).catch(() => {
    log('waiting for another process that installs the services');
    return lock(folder, {
      ...options,
      retries: { retries: 600, factor: 1, minTimeout: 1_000, maxTimeout: 1_000 },
    });
  });
  try {
    return await work();
  } finally {
    await release();
  }
}
