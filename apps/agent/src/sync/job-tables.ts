import { createHash } from 'node:crypto';

import { type FetchedTables, readTables, SyncJobError, type TableRules } from '@understudy/sync-job';

import type { HostedModelClient } from './hosted-model-client.js';

/** Fetches the tables of jobs that are too large for one command. */
export class JobTables {
  constructor(private readonly files: Pick<HostedModelClient, 'fetch'>) {}

  /** @throws SyncJobError `tables_unavailable`, also if the content is not that of the hash */
  async fetch(jobId: string, tables: FetchedTables, signal: AbortSignal): Promise<readonly TableRules[]> {
    try {
      const bytes = await this.files.fetch(jobId, tables, signal);
      if (createHash('sha256').update(bytes).digest('hex') !== tables.hash)
        throw new Error('the fetched tables have another hash');
      return readTables(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    } catch (cause) {
      signal.throwIfAborted();
      throw new SyncJobError({ code: 'tables_unavailable' }, { cause });
    }
  }
}
