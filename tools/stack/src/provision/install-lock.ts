import { mkdirSync } from 'node:fs';
import { lock } from 'proper-lockfile';
import { packageCache } from './unpacked-packages.js';

/** Packages are got by one process of this user at a time. */
export async function withInstallLock<T>(say: (line: string) => void, work: () => Promise<T>): Promise<T> {
  const folder = packageCache();
  mkdirSync(folder, { recursive: true });
  const options = { stale: 30_000 };
  const release = await lock(folder, options).catch(() => {
    say('another process gets the services: waiting for it');
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
