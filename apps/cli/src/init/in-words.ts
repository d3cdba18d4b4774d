import {
  failureMessage,
  LOCAL_SYNC_WORDING,
  namesOf,
  type Wording,
  SyncJobError,
} from '@understudy/sync-job';
import { CliError } from '../cli-error.js';
import { EXIT } from '../exit-code.js';

/** Nothing is written, and there is one database. */
const WORDING: Wording = {
  ...LOCAL_SYNC_WORDING,
  database: () => 'the database',
  outcome: 'No file was written.',
};

/** For `.catch`: what the engine says of a database in words, anything else as it is. */
export function asDatabaseError(error: unknown): never {
  if (!(error instanceof SyncJobError)) throw error;
  throw new CliError(EXIT.database, failureMessage(error.failure, namesOf({ tables: [] }), WORDING));
}
