import type { TablePlan } from '../plan/table-plan.js';
import { defineTables, NOTHING_TO_DEFINE, type TableDefinitions } from '../stage/create/define-tables.js';
import { DefinitionDump } from '../stage/create/definition-dump.js';
import type { JobDatabases, RunningJob } from './running-job.js';

/** The parts of a job and its databases with which definitions are made. A dry run has them, too. */
type DefiningJob = Pick<RunningJob, 'command' | 'environment' | 'signal'>;
type DefiningDatabases = Omit<JobDatabases, 'room' | 'open'>;

/**
 * Returns the SQL that will create the missing tables. Changes neither database.
 * @param options `dump`: a dump that {@link dumpDefinition} has started · `deferring`: the indexes of missing tables
 * that only the switch may create
 */
export async function defineMissing(
  job: DefiningJob,
  databases: DefiningDatabases,
  plans: readonly TablePlan[],
  options: { readonly dump?: DefinitionDump | undefined; readonly deferring?: ReadonlySet<number> } = {},
): Promise<TableDefinitions> {
  if (plans.every((plan) => plan.target !== undefined)) return NOTHING_TO_DEFINE;
  const { dump = dumpDefinition(job, databases, plans), deferring = new Set() } = options;
  const [source, target] = [databases.source.client, databases.target.client];
  const { allowSharedSchemas } = job.environment.policy.rules;
  try {
    await target.query('BEGIN');
    const archive = () => dump.archive();
    const definitions = await defineTables({
      ...{ plans, source, target, archive, allowSharedSchemas, deferring },
    });
    await target.query('ROLLBACK');
    return definitions;
  } finally {
    await dump.discard();
  }
}

/**
 * Starts a dump of definitions.
 * @param plans the tables of which the missing ones are dumped; `all` for the whole database
 */
export function dumpDefinition(
  { command, environment: { tools }, signal }: DefiningJob,
  { source, server, snapshot }: DefiningDatabases,
  plans: readonly TablePlan[] | 'all',
): DefinitionDump {
  const sourceVersion = server.majorVersion;
  const tables =
    plans === 'all' ? plans : plans.flatMap((plan) => (plan.target === undefined ? [plan.source.oid] : []));
  const withPublications = plans === 'all' && command.publications === 'source';
  const dumped = { snapshot, tables, source: source.target, sourceVersion, withPublications };
  return new DefinitionDump({ ...dumped, tools, signal });
}
