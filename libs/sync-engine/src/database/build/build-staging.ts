import { EvaluationPaths, type EntrySql, quoteTable } from '@understudy/postgres';
import { dumpDefinition } from '../../attempt/define-missing.js';
import type { JobStaging, StagedRows, StagingRequest } from '../../attempt/replacement.js';
import type { JobDatabases, RunningJob, StagedJob } from '../../attempt/running-job.js';
import { type Chunk, planChunks } from '../../copy/plan-chunks.js';
import { runDefinition } from '../../stage/create/run-definition.js';
import type { TablePlan } from '../../plan/table-plan.js';
import { emptyParents } from '../../plan/orphans/empty-parents.js';
import { emptyTablesOf } from '../../plan/exclude/decisions.js';
import { findPrepared } from '../checks/prepared-objects.js';
import { checkKeysToEmptyTables } from '../checks/keys-to-empty-tables.js';
import { mayCommentOnPublic } from '../checks/never-copied.js';
import { checkRoom } from '../checks/room.js';
import type { DefinitionDump } from '../../stage/create/definition-dump.js';
import { type LedgerRow, readChunks, readStagedTables } from '../../stage/ledger/staging-ledger.js';
import { createdEntries, type ExcludedObject } from '../../plan/exclude/excluded-objects.js';
import { countSteps, createBuildLedger } from './build-ledger.js';
import { planPostData } from './plan-post-data.js';
import { configurationTables, readEarlyKeys, readIndexedRelations, refreshesOf } from './read-relations.js';

export interface BuildToStage {
  /** The ledger row of an earlier attempt, if there is one. */
  readonly earlier: LedgerRow | undefined;
  /** The objects of the source that are not created. */
  readonly excluded: readonly ExcludedObject[];
  /** The room that the target and its kept databases take on the disk of the server. */
  readonly heldBytes: number;
  /** Replaces the new database by an empty one, and the session on it by another one. */
  readonly restart: () => Promise<void>;
}

/** Creates all objects of the source in a new database. Rows are copied straight into its tables. */
export class BuildStaging implements JobStaging {
  private dump: DefinitionDump | undefined;

  constructor(
    private readonly job: RunningJob,
    private readonly databases: JobDatabases,
    private readonly build: BuildToStage,
  ) {}

  get excluded(): readonly ExcludedObject[] {
    return this.build.excluded;
  }

  async planned(plans: readonly TablePlan[]): Promise<void> {
    const { environment } = this.job;
    await checkRoom(this.databases.source.client, plans, this.build.heldBytes, environment);
    // An attempt that continues with the tables of an earlier one needs no dump.
    if (this.build.earlier !== undefined) return;
    // The keeper needs another session until it holds the snapshot, and pg_dump another one.
    if (this.databases.room.isTight) await this.databases.snapshot.held.confirm();
    this.dump = dumpDefinition(this.job, this.databases, 'all');
  }

  async chosen(plans: readonly TablePlan[]): Promise<void> {
    const clients = { source: this.databases.source.client, target: this.databases.target.client };
    // The keys that stay NOT VALID are known only when they are created.
    await checkKeysToEmptyTables(this.job.command, clients, { plans, excluded: this.excluded });
  }

  async stage(request: StagingRequest): Promise<StagedRows> {
    const { build, databases } = this;
    const { earlier } = build;
    const isSame =
      earlier?.fingerprint === request.fingerprint && databases.snapshot.joined === earlier.snapshotId;
    const staged = isSame ? await this.resume(earlier) : await this.begin(request);
    const { command, meter } = this.job;
    meter.build?.expect(await countSteps(databases.target.client, command.jobId));
    // Only the job and its agent can create objects in this database.
    const paths = await EvaluationPaths.read(databases.target.client, [], true);
    return { staged, paths, runsCode: false };
  }

  async discard(): Promise<void> {
    await this.dump?.discard();
  }

  private async resume(earlier: LedgerRow): Promise<StagedJob> {
    const { jobId } = this.job.command;
    const target = this.databases.target.client;
    return {
      ...NOTHING_LATER,
      tables: await readStagedTables(target, jobId),
      chunks: JSON.parse(earlier.plan) as readonly Chunk[],
      done: await readChunks(target, jobId),
      postDataSql: earlier.postDataSql,
      warnings: earlier.warnings,
    };
  }

  private async begin({ plans, fingerprint, needsOrder }: StagingRequest): Promise<StagedJob> {
    const { job, databases, build } = this;
    const { command: attempt, environment, meter } = job;
    const source = databases.source.client;
    const warnings = build.earlier === undefined ? [] : [{ code: 'restarted_from_zero' } as const];
    if (build.earlier !== undefined) await build.restart();
    meter.build?.enter('objects');
    this.dump ??= dumpDefinition(job, databases, 'all');
    const archive = await this.dump.archive();
    const withTablespaces = attempt.tablespaces === 'source';
    const before = await archive.separately('pre-data', withTablespaces);
    const after = await archive.separately('post-data', withTablespaces);
    const target = databases.target.client;
    const prepared = await findPrepared({ source, target });
    const created = createdEntries([...before.entries, ...after.entries], build.excluded, prepared);
    const mayComment = await mayCommentOnPublic(target);
    const isCreated = (entry: EntrySql) =>
      created.has(entry) && (mayComment || !IS_COMMENT_ON_PUBLIC.test(entry.type));
    await target.query(before.settings);
    const defining = before.entries.filter(isCreated);
    meter.build?.expect([{ phase: 'objects', total: defining.length, done: 0 }]);
    meter.build?.enter('objects');
    for (const batch of batchesOf(defining)) {
      job.signal.throwIfAborted();
      await runDefinition(target, batch.join('\n'), { source, plans });
      meter.build?.completed('objects', undefined, batch.length);
    }
    for (const name of await configurationTables(source, plans))
      await target.query(`DELETE FROM ONLY ${quoteTable(name)}`);
    const parents = await emptyParents({ source, target }, plans, emptyTablesOf(attempt));
    const keys = await readEarlyKeys(source, plans, parents);
    const relations = await readIndexedRelations(source, plans);
    const chunks = await planChunks(source, plans, { chunkBytes: environment.copy.chunkBytes, needsOrder });
    const postData = planPostData({
      ...{ entries: after.entries.filter(isCreated), keys },
      relationOf: (address) => relations.get(address),
      refreshes: await refreshesOf(source, [...created]),
      analyses: new Map(plans.map(({ index, name }) => [index, `ANALYZE ${quoteTable(name)}`])),
    });
    const asMoved = ({ index, name }: TablePlan) =>
      ({ tableIndex: index, into: name, kind: 'moved' }) as const;
    const tables = plans.map(asMoved);
    await createBuildLedger(target, {
      ...{ attempt, tables, emptyTables: parents.map(asMoved), fingerprint, warnings, ...postData },
      maskingKey: environment.keys.maskingKey,
      snapshotId: databases.snapshot.id,
      plan: JSON.stringify(chunks),
      settings: after.settings,
    });
    return { ...NOTHING_LATER, tables, chunks, done: [], postDataSql: after.settings, warnings };
  }
}

const NOTHING_LATER = { deferredSql: '', swapSql: '', existing: undefined, usedOnTarget: undefined };

const IS_COMMENT_ON_PUBLIC = /^COMMENT - SCHEMA public /;

/** Each batch is one transaction, whose locks must fit into the lock table of a server with few connections. */
const MAX_ENTRIES = 200;
const MAX_BYTES = 1_000_000;

function* batchesOf(entries: readonly EntrySql[]): Iterable<readonly string[]> {
  let batch: string[] = [];
  let bytes = 0;
  for (const { sql } of entries) {
    batch.push(sql);
    bytes += sql.length;
    if (batch.length < MAX_ENTRIES && bytes < MAX_BYTES) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}
