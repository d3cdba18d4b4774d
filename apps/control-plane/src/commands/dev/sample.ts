import {
  createEmptyDatabase,
  databaseExists,
  LocalSystemError,
  loadShop,
  type OfferedDatabases,
} from '@understudy/local-system';

/** The databases of `dev --sample`. The agent offers them under the same names. */
export const SAMPLE = { source: 'shop', target: 'shop_staging' } as const;
const SIZE = { customers: 2_000, orders: 6_000 };

/**
 * Creates the databases of the sample that do not exist. Each is created in one step, so an interrupted start leaves
 * no incomplete database. Existing databases of these names are kept.
 * @param serverUrl URL of the private server, without a database name
 * @returns the databases, with the roles for which the agent offers them
 */
export async function offerSample(
  serverUrl: string,
  signal: AbortSignal,
  log: (line: string) => void,
): Promise<OfferedDatabases> {
  try {
    if (!(await databaseExists(serverUrl, SAMPLE.source))) {
      log(`creating the sample database ${SAMPLE.source}`);
      await loadShop(serverUrl, SAMPLE.source, SIZE, signal);
    }
    if (!(await databaseExists(serverUrl, SAMPLE.target)))
      await createEmptyDatabase(serverUrl, SAMPLE.target);
  } catch (cause) {
    if (signal.aborted)
      throw new LocalSystemError('service.not_ready', 'the start was interrupted', undefined, { cause });
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new LocalSystemError('service.not_ready', `the sample could not be created: ${reason}`, undefined, {
      cause,
    });
  }
  return {
    [SAMPLE.source]: { url: `${serverUrl}/${SAMPLE.source}`, roles: ['source', 'snapshot'] },
    [SAMPLE.target]: { url: `${serverUrl}/${SAMPLE.target}`, roles: ['target', 'snapshot', 'restore'] },
  };
}
