import type { SyncRequest } from '@understudy/sync-job';
import type { JobFilesLibrary } from './job-files-library.js';
import type { JobDatabase } from './read-database.js';

/** A job file without a mistake. */
export interface JobFile {
  readonly source: JobDatabase;
  readonly target: JobDatabase;
  readonly request: SyncRequest;
  /** Of each table, the columns that its `where` names, as they first appear. */
  readonly whereColumns: readonly (readonly string[])[];
  readonly library: JobFilesLibrary;
}
