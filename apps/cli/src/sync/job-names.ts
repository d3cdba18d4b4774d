import { type Names, namesOf } from '@understudy/sync-job';
import type { JobFile } from './job-file/job-file.js';

/** What a job file calls its tables and columns. */
export function namesOfJob({ request, whereColumns }: JobFile): Names {
  return namesOf({
    tables: request.tables.map(({ name, columns }, index) => ({
      name,
      columns: Object.keys(columns).map((column) => ({ name: column })),
      subset: { whereColumns: whereColumns[index] ?? [] },
    })),
  });
}
