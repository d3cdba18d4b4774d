import { type Names, namesOf, type SyncRequest } from '@understudy/sync-job';
import type { JobFilesLibrary } from './job-files-library.js';
import type { JobDatabase } from './read-database.js';

/** The content of a valid job file. */
export interface JobFile {
  readonly source: JobDatabase;
  readonly target: JobDatabase;
  readonly request: SyncRequest;
  /** For each table, the columns in its `where` condition, in order of appearance. */
  readonly whereColumns: readonly (readonly string[])[];
  readonly library: JobFilesLibrary;
}

/** Returns the names of a job file's tables and columns, for messages. */
export function namesOfJob({ request, whereColumns }: JobFile): Names {
  return namesOf({
    tables: request.tables.map(({ name, columns }, index) => ({
      name,
      columns: Object.keys(columns).map((column) => ({ name: column })),
      subset: { whereColumns: whereColumns[index] ?? [] },
    })),
  });
}
