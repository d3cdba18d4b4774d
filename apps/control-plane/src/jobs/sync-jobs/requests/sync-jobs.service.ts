import { Injectable, Logger } from '@nestjs/common';
import { writeExactJson } from '@understudy/expression';
import { DataSource } from 'typeorm';
import { ulid } from 'ulid';

import { AgentsService } from '../../../agents/registry/agents.service.js';
import { randomSeed } from '../../../data/generation/random-seed.js';
import { GenerationService } from '../../../data/generation/generation.service.js';
import type { AcceptedSyncJob } from '../../../data/compute/jobs/accept-sync-job.js';
import { auditRequest } from '../../../platform/audit-log/insert-audit-entry.js';
import { ApiError, noSuch } from '../../../platform/http/errors/api-error.js';
import type { CallerRequest } from '../../../platform/http/pipeline/caller-request.js';
import type { Paged } from '../../../platform/http/dto/page.dto.js';
import { UnreadBody } from '../../../platform/http/uploads/uploaded-file.js';
import { OutboxService } from '../../../platform/job-queue/outbox.service.js';
import { databaseNow } from '../../../platform/persistence/database-values.js';
import { findPage } from '../../../platform/persistence/find-page.js';
import { QuotasService } from '../../../accounts/usage/quotas.service.js';
import { KeptDatabasesService } from '../../kept-databases/kept-databases.service.js';
import { AgentPlacement } from '../../../agents/agent-work/choice/agent-placement.js';
import type { WorkEligibility } from '../../../agents/agent-work/choice/agent-requirement.js';
import { DISPATCH_TOPIC } from '../../../agents/agent-work/leases/work-offers.js';
import { jobFilter, jobOrder, type ListSyncJobsQuery } from './list-sync-jobs.query.js';
import type { TablesDetail } from './tables-detail.js';
import { SyncJobEntity } from '../sync-job.entity.js';
import {
  LISTED_COLUMNS,
  toListedSyncJob,
  toSyncJobResponse,
  type ListedDryRun,
  type ListedSyncJob,
  type ReportedTables,
  type SyncJobResponse,
} from './sync-job-response.js';
import { toStoredRequest, toSyncJobDefinition } from '../definition/sync-job-definition.js';
import type { SyncJobDefinitionResponse } from '../definition/sync-job-definition-response.js';
import { insertTables, readDefinition, readSubsets } from '../tables/fetched-tables.js';
import { readJobTables, readTableNames } from '../tables/job-table.js';
import { readTableTotals, totalsOf, type TableTotals } from '../tables/table-totals.js';
import { INSERT_TABLES } from '../tables/update-tables.sql.js';
import { isWaiting } from '../../../agents/agent-work/leases/work-state.js';
import { waitingWarnings, type WorkWarning } from '../../../agents/agent-work/choice/waiting-warnings.js';

/**
 * Manages the sync jobs of callers. Every query is restricted to one organisation; jobs of others are not
 * found.
 */
@Injectable()
export class SyncJobsService {
  private readonly logger = new Logger(SyncJobsService.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly placement: AgentPlacement,
    private readonly outbox: OutboxService,
    private readonly agents: AgentsService,
    private readonly generation: GenerationService,
    private readonly quotas: QuotasService,
    private readonly kept: KeptDatabasesService,
  ) {}

  /**
   * Creates a job. Row and outbox entry are written in one transaction, which is committed when the promise
   * resolves.
   * @param runOf the id of the job whose request this is
   */
  async create(
    request: CallerRequest,
    { bytes }: UnreadBody,
    runOf: string | null = null,
  ): Promise<SyncJobResponse> {
    const { organizationId } = request.caller;
    const createdAt = new Date();
    const accepted = await this.generation.acceptSyncJob(organizationId, bytes, createdAt);
    const id = `job_${ulid()}`;
    const { name, seed = randomSeed(), referenceInstant, source, target, agent, capabilities } = accepted;
    const placed = await this.placement.place({
      ...{ organizationId, id, selector: agent, capabilities },
      databases: { source, target },
    });
    const job = { id, organizationId, name, seed, referenceInstant, createdAt, runOf };
    await this.insert(request, job, accepted, placed);
    this.outbox.wake();
    this.logger.log({ request_id: request.id, job_id: id, msg: 'accepted' });
    return this.get(organizationId, id);
  }

  /**
   * Creates a job with the stored request of another one, which is checked as a new request is.
   * @throws ApiError `not_found` · `conflict` if a part of the request is not stored · as {@link create} does
   */
  async runAgain(request: CallerRequest, id: string): Promise<SyncJobResponse> {
    const job = await this.find(request.caller.organizationId, id);
    if (job.definitionReducedAt !== null)
      throw new ApiError('conflict', `${DEFINITION_REMOVED} ${POST_AGAIN}`);
    const stored = toStoredRequest({
      ...job,
      definition: await readDefinition(this.dataSource.manager, job),
    });
    if (stored.source.connection_string === null || stored.target.connection_string === null)
      throw new ApiError('conflict', `${URLS_REMOVED} ${POST_AGAIN}`);
    return this.create(request, new UnreadBody([Buffer.from(writeExactJson(stored))]), id);
  }

  /** @throws ApiError `not_found` */
  async get(organizationId: string, id: string, detail: TablesDetail = 'all'): Promise<SyncJobResponse> {
    const job = await this.find(organizationId, id);
    const tables = detail === 'all' ? await this.allTables(job) : { totals: await this.totalsOf(id) };
    const { manager } = this.dataSource;
    const [now, kept] = [await databaseNow(manager), await this.kept.keptUntil(manager, id)];
    return toSyncJobResponse(job, tables, { waiting: await this.whyWaiting(job), now, kept });
  }

  /** @throws ApiError `not_found`, also if retention has removed the rules from the definition */
  async definition(organizationId: string, id: string): Promise<SyncJobDefinitionResponse> {
    const job = await this.find(organizationId, id);
    if (job.definitionReducedAt !== null) throw new ApiError('not_found', DEFINITION_REMOVED);
    return toSyncJobDefinition({ ...job, definition: await readDefinition(this.dataSource.manager, job) });
  }

  /** Returns a page of the jobs, by default the newest first. A page past the end is empty. */
  async list(organizationId: string, query: ListSyncJobsQuery): Promise<Paged<'jobs', ListedSyncJob>> {
    const { rows, ...page } = await findPage(this.dataSource.manager, SyncJobEntity, query, {
      select: LISTED_COLUMNS,
      where: { organizationId, ...jobFilter(query) },
      order: jobOrder(query),
    });
    const ids = rows.map(({ id }) => id);
    const running = rows.filter(({ status }) => status === 'running').map(({ id }) => id);
    const [counts, dryRuns, names, totals, now] = await Promise.all([
      this.tableCounts(ids),
      this.dryRuns(ids),
      query.tables === 'none' ? new Map<string, string[]>() : readTableNames(this.dataSource.manager, ids),
      readTableTotals(this.dataSource.manager, running),
      databaseNow(this.dataSource.manager),
    ]);
    const jobs = rows.map((job) => {
      const { id } = job;
      const tables = { count: counts.get(id) ?? 0, names: names.get(id), totals: totals.get(id) };
      return toListedSyncJob(job, tables, dryRuns.get(id) ?? NO_DRY_RUN, { now });
    });
    return { jobs, ...page };
  }

  private async find(organizationId: string, id: string): Promise<SyncJobEntity> {
    const job = await this.dataSource.manager.findOneBy(SyncJobEntity, { id, organizationId });
    if (!job) throw noSuch('sync job');
    return job;
  }

  private async allTables(job: SyncJobEntity): Promise<ReportedTables> {
    const listed = await readJobTables(this.dataSource.manager, job.id);
    const subsets = await readSubsets(this.dataSource.manager, job);
    return { totals: totalsOf(listed), listed, subsets };
  }

  private async totalsOf(jobId: string): Promise<TableTotals> {
    return (await readTableTotals(this.dataSource.manager, [jobId])).get(jobId) ?? totalsOf([]);
  }

  private async tableCounts(jobIds: readonly string[]): Promise<Map<string, number>> {
    const rows = await this.dataSource.query<{ job_id: string; tables: number }[]>(
      'SELECT job_id, count(*)::integer AS tables FROM sync_job_tables WHERE job_id = ANY ($1) GROUP BY job_id',
      [jobIds],
    );
    return new Map(rows.map(({ job_id, tables }) => [job_id, tables]));
  }

  /** Reads two values in the database, because a definition and a prediction can have megabytes. */
  private async dryRuns(jobIds: readonly string[]): Promise<Map<string, ListedDryRun>> {
    const rows = await this.dataSource.query<{ id: string; problems: number | null }[]>(
      `SELECT id, (prediction->>'problemCount')::integer AS problems
       FROM sync_jobs WHERE id = ANY ($1) AND (definition->>'dryRun')::boolean`,
      [jobIds],
    );
    return new Map(rows.map(({ id, problems }) => [id, { isDryRun: true, problemCount: problems }]));
  }

  private async whyWaiting(job: SyncJobEntity): Promise<WorkWarning[]> {
    if (!isWaiting(job)) return [];
    return waitingWarnings(job, await this.agents.liveAgents(job.organizationId));
  }

  private async insert(
    request: CallerRequest,
    job: Pick<
      SyncJobEntity,
      'id' | 'organizationId' | 'name' | 'seed' | 'referenceInstant' | 'createdAt' | 'runOf'
    >,
    { source, target, definition, tableNames, fetched, warnings }: AcceptedSyncJob,
    {
      databases,
      requires,
      sealedTo,
    }: WorkEligibility & { databases: Pick<SyncJobEntity, 'source' | 'target'> },
  ): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      if (definition.dryRun !== true)
        await this.quotas.take(manager, request.caller, 'sync_jobs', job.createdAt);
      await manager.insert(SyncJobEntity, {
        ...job,
        ...databases,
        requires: requires as object,
        sealedTo: sealedTo && [...sealedTo],
        status: 'pending',
        sourceDisplay: source.display,
        targetDisplay: target.display,
        definition: definition as object,
        warnings: [...warnings],
        models: definition.hostedModels?.map(({ id, hash }) => ({ name: id, hash })) ?? [],
      });
      await manager.query(INSERT_TABLES, [job.id, tableNames]);
      if (fetched) await insertTables(manager, job.id, fetched);
      await this.outbox.write(manager, DISPATCH_TOPIC, job.id);
      await auditRequest(manager, request, {
        now: job.createdAt,
        action: 'sync_job.created',
        targetId: job.id,
        details: {
          ...{ name: job.name, source: source.display, target: target.display },
          ...(job.runOf !== null && { run_of: job.runOf }),
        },
      });
    });
  }
}

const DEFINITION_REMOVED =
  'The definition of this job is no longer stored. The control plane removes it some time after the job has ended.';

const URLS_REMOVED =
  'This job was given a connection URL, which the control plane cannot read. Only a job with two databases of agents can be repeated.';

const POST_AGAIN = 'Send the whole request to POST /v1/sync/jobs instead.';

const NO_DRY_RUN: ListedDryRun = { isDryRun: false, problemCount: null };
