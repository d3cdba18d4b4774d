import { reportSourceCode } from '../../plan/preflight/source-code.js';
import { openJobSession } from '../../session/open-session.js';
import { readProperties, withServerSession } from '@understudy/database-swap';
import {
  type ConnectionTarget,
  errorDetail,
  readMajorVersion,
  type ServerIdentity,
} from '@understudy/postgres';
import { readKeyDefinitions } from '../../stage/foreign-keys/key-definition.js';
import { canBeNotValid } from '../../stage/foreign-keys/staged-key.js';
import type { LocatedClient, LocatedSession } from '../../session/located-client.js';
import { ModelRegistry } from '../../models/model-registry.js';
import { compileMasks, type JobMasks, type TableMasks } from '../../plan/compile-masks.js';
import { compilerOptions } from '../../plan/compiler-options.js';
import { planJob } from '../../plan/plan-job.js';
import { FailureContexts } from '../../session/failure-contexts.js';
import type {
  DatabaseSide,
  ExpectedRows,
  LeftOut,
  Prediction,
  SyncWarning,
  SyncJobCommand,
} from '@understudy/sync-job';
import { findRoom, openFirstSession } from '../../session/session-room.js';
import { guard } from '../../session/guard.js';
import { JobSessions } from '../../session/job-sessions.js';
import { type ExcludedObject, findExcluded } from '../../plan/exclude/excluded-objects.js';
import { largeObjectWarnings } from '../../plan/large-objects.js';
import { listTables } from '../../plan/list-tables.js';
import { measureTable } from '../../progress/measure-table.js';
import { warningsWithoutNames, withoutNames } from '../../plan/problems/without-names.js';
import { type PlannedRules, type RuleDatabases, finalizeRules } from '../../plan/plan-rules.js';
import { keeperSessionName, sessionName } from '../../session/job-attempt.js';
import type { KeepSnapshot, SyncEnvironment } from '../../environment.js';
import { checkServers, checkTargetRole, surveyTables } from '../../plan/preflight/preflight.js';
import { requireWritable } from '../../plan/preflight/writable-target.js';
import { targetRole } from '../../policy.js';
import { takeSnapshot } from '../../source/take-snapshot.js';
import type { Snapshot } from '../../source/snapshot.js';
import { buildLoginOf } from '../../database/checks/check-replacement.js';
import { emptyTablesOf } from '../../plan/exclude/decisions.js';
import { checkKeysToEmptyTables } from '../../database/checks/keys-to-empty-tables.js';
import { checkRoom, readHeldBytes } from '../../database/checks/room.js';
import { predictReplacement } from '../../database/checks/predict-replacement.js';
import { defineMissing } from '../../attempt/define-missing.js';
import type { ColumnPlan, TablePlan } from '../../plan/table-plan.js';
import { trainingOrders, waitsForTraining } from '../../train/train-models.js';
import { refreshSql, viewWarning } from '../../tables/after-switch.js';
import { dependentViews } from '../../tables/dependent-views.js';
import { logNames } from '../../local-names.js';
import {
  countByKind,
  dependentsLeftOut,
  findLeftOut,
  namesOfLeftOut,
} from '../../plan/preflight/left-out.js';
import { unlistedWarnings } from '../../plan/preflight/unlisted-tables.js';
import type { TableDefinitions } from '../../stage/create/define-tables.js';
import { FailureList, roundedRows } from './failure-list.js';
import { openSource } from '../../attempt/attempt-sessions.js';
import {
  type RehearsalRequest,
  rehearseDefinitions,
  tablesThatCallFunctions,
} from '../../copy/rehearsal/rehearse-target.js';
import {
  type BrokenKey,
  findOrphans,
  refuseOrphans,
  skippedOrphans,
  warnOfOrphans,
} from '../../plan/orphans/find-orphans.js';
import { predictDangling } from './predict-dangling.js';
import { predictSequences } from './predict-sequences.js';
import { predictViolations } from './predict-violations.js';
import { TriedModels, tryTraining } from './try-training.js';

/**
 * Runs every check of a job, but changes neither database. A check may create a temporary table on the
 * target. The function does not acquire the target. It trains models in memory, for a limited time. If a model
 * could not be trained, it does not check the values of any rule. After a failed check, it still makes all
 * later checks that are possible.
 * @throws SyncJobError a failure that prevents the checks, or the signal's reason
 */
export async function predictJob(
  command: SyncJobCommand,
  environment: SyncEnvironment,
  contexts: FailureContexts,
  signal: AbortSignal,
  keepSnapshot: KeepSnapshot,
): Promise<Prediction> {
  return new DryRun(command, environment, contexts, signal, keepSnapshot).predict();
}

class DryRun {
  private readonly failures: FailureList;
  private readonly sessions: JobSessions;
  private readonly warnings: SyncWarning[] = [];
  private readonly tables: ExpectedRows[] = [];
  private leftOut: LeftOut | undefined;
  private found: Promise<readonly ExcludedObject[]> | undefined;

  constructor(
    private readonly command: SyncJobCommand,
    private readonly environment: SyncEnvironment,
    private readonly contexts: FailureContexts,
    private readonly signal: AbortSignal,
    private readonly keepSnapshot: KeepSnapshot,
  ) {
    this.sessions = new JobSessions(signal);
    const { jobId } = command;
    this.failures = new FailureList((error) => {
      environment.log.warn(
        { jobId, failure: error.failure, detail: errorDetail(error, contexts.knowsName) },
        'a check of the dry run failed',
      );
    });
  }

  async predict(): Promise<Prediction> {
    try {
      const registry = await this.failures.collect(() => this.models());
      if (await this.mayConnect()) await this.connectAndCheck(registry);
    } finally {
      await this.sessions.close();
    }
    const { list, count: failureCount } = this.failures;
    const { reportNames } = this.environment.policy.rules;
    const failures = reportNames ? list : list.map(withoutNames);
    const warnings = reportNames ? this.warnings : warningsWithoutNames(this.warnings);
    const { tables, leftOut } = this;
    return { failures, failureCount, tables, warnings, ...(leftOut === undefined ? {} : { leftOut }) };
  }

  /** A policy that refuses to replace the database also refuses the connections. */
  private async mayConnect(): Promise<boolean> {
    const { command, environment, failures } = this;
    if (command.replace !== 'database') return true;
    return (await failures.collect(() => buildLoginOf(command, environment))) !== undefined;
  }

  private async connectAndCheck(registry: ModelRegistry | undefined): Promise<void> {
    const source = await this.connect('source');
    const target = await this.connect('target');
    if (source !== undefined && target !== undefined) await this.check(source, target, registry);
  }

  private async models(): Promise<ModelRegistry> {
    const { hostedModels, models, builtin, log } = this.environment;
    const { jobId, hostedModels: wanted } = this.command;
    const hosted = await hostedModels.files(jobId, wanted, this.signal);
    return new ModelRegistry(models, builtin, hosted, log);
  }

  private connect(side: 'source' | 'target'): Promise<LocatedSession | undefined> {
    return this.failures.collect(async () => {
      const { sessionWaitMs } = this.environment.copy;
      const database = side === 'target' ? await this.reachableTarget() : this.resolve(side);
      return this.sessions.open(async () =>
        this.contexts.locate(await openFirstSession(database, side, { sessionWaitMs })),
      );
    });
  }

  private resolve(side: 'source' | 'target'): ConnectionTarget {
    const role = side === 'target' ? targetRole(this.command) : side;
    return this.environment.policy.resolveDatabase(this.command[side], role);
  }

  /** Returns the target. If the job creates it, returns another database of its server, which the checks only ask. */
  private async reachableTarget(): Promise<ConnectionTarget> {
    const target = this.resolve('target');
    if (this.command.replace !== 'database') return target;
    return guard({ side: 'target' }, () =>
      withServerSession(target, async (session) => {
        const isThere = (await readProperties(session.client, target.database)) !== undefined;
        return isThere ? target : session.target;
      }),
    );
  }

  /** Returns the objects that the job leaves out. With thousands of tables, the query takes seconds. */
  private excluded(source: LocatedSession): Promise<readonly ExcludedObject[]> {
    return (this.found ??= findExcluded(source.client, this.command));
  }

  private async check(
    source: LocatedSession,
    target: LocatedSession,
    registry: ModelRegistry | undefined,
  ): Promise<void> {
    const { command, contexts, failures, signal } = this;
    if (command.replace === 'database') {
      const found = await failures.collect(async () => {
        const request = {
          agent: this.resolve('target'),
          source,
          target,
          excluded: await this.excluded(source),
        };
        return predictReplacement(command, request, this.environment);
      });
      this.warnings.push(...(found ?? []));
    }
    const server = await failures.collect(async () => {
      const { sessionWaitMs } = this.environment.copy;
      await findRoom({ source, target }, { sessionWaitMs });
      const isTargetThere = target.target.database === this.resolve('target').database;
      const checked = await checkServers(source, target, isTargetThere);
      // A job that replaces the database writes nothing to it.
      if (command.replace !== 'database') contexts.knowEventTriggers(await requireWritable(target.client));
      return checked;
    });
    if (server === undefined) return;
    const { policy } = this.environment;
    this.warnings.push(...((await failures.collect(() => checkTargetRole(target.client, policy))) ?? []));
    if ((await failures.collect(() => this.survey(source, target))) === undefined) return;
    const snapshot = await failures.collect(() =>
      takeSnapshot({
        source,
        tables: listTables(command),
        sessionName: keeperSessionName(command),
        earlierId: undefined,
        signal,
        onBlocked: () => undefined, // a lock that is not released in time is reported as a failure
      }),
    );
    if (snapshot === undefined) return;
    const endRegistration = this.keepSnapshot(() => {
      snapshot.held.renew();
    });
    try {
      // The keeper needs another session until it holds the snapshot, and the checks another one.
      const isHeld = async () => {
        await snapshot.held.confirm();
        return true;
      };
      if ((await failures.collect(isHeld)) === undefined) return;
      await this.checkTables({ source, target, snapshot, server }, registry);
    } finally {
      endRegistration();
      await snapshot.held.release();
    }
  }

  /**
   * Finds all problems that would make the snapshot fail, such as missing tables.
   * @throws SyncJobError one failure that lists all these problems
   */
  private async survey(source: LocatedSession, target: LocatedSession): Promise<true> {
    const { command, contexts } = this;
    const { policy } = this.environment;
    const excluded = await this.excluded(source);
    await surveyTables({ command, source: source.client, target, contexts, policy, excluded });
    return true;
  }

  private async checkTables(databases: Databases, registry: ModelRegistry | undefined): Promise<void> {
    const { command, contexts, failures, signal } = this;
    const { policy } = this.environment;
    const { target, snapshot } = databases;
    const source = databases.source.client;
    let definitions: TableDefinitions | undefined;
    let tables: readonly TablePlan[] = [];
    const excluded = await this.excluded(databases.source);
    const rules = await planJob(
      {
        ...{ command, source, target, contexts, policy, signal, excluded },
        emptyTables: emptyTablesOf(command),
      },
      {
        run: <T>(step: () => Promise<T>) => failures.collect<T>(step),
        onTables: (plans) => {
          const isOmitting = command.sourceCode === 'omit';
          const found = { plans, source, target: target.client, isOmitting };
          return reportSourceCode(found, this.environment);
        },
        onRows: async (plans) => {
          definitions = await this.checkRows(plans, databases);
          tables = plans;
          // Rules are checked last, because a failed check of rules can leave the target's session in a
          // transaction.
          return registry !== undefined;
        },
      },
    );
    const masks =
      rules &&
      registry &&
      (await this.checkRules(rules, snapshot, registry, { source, target: target.client, contexts }));
    if (definitions !== undefined)
      await this.rehearse(databases, { plans: rules?.plans ?? tables, masks, definitions });
  }

  private define(
    plans: readonly TablePlan[],
    databases: Databases,
    deferring: ReadonlySet<number> = new Set(),
  ): Promise<TableDefinitions> {
    const { command, environment, signal } = this;
    return defineMissing({ command, environment, signal }, databases, plans, { deferring });
  }

  private async checkRows(
    plans: readonly TablePlan[],
    databases: Databases,
  ): Promise<TableDefinitions | undefined> {
    const { contexts, environment, failures } = this;
    const { source, target } = databases;
    const clients = { source: source.client, target: target.client, contexts };
    if (this.command.replace === 'database') {
      const excluded = await this.excluded(source);
      const kept = await failures.collect(() =>
        checkKeysToEmptyTables(this.command, clients, { plans, excluded }),
      );
      this.warnings.push(...(kept ?? []));
      await failures.collect(async () => {
        const heldBytes = await readHeldBytes(target.client, this.resolve('target').database);
        await checkRoom(source.client, plans, heldBytes, environment);
      });
      this.warnings.push(...(await largeObjectWarnings(plans, source.client, this.command)));
      await this.predictOrphans(plans, clients);
      await this.countRows(plans, source.client);
      return undefined;
    }
    const definitions = await failures.collect(() => this.define(plans, databases));
    this.warnings.push(...(definitions?.warnings ?? []), ...copiedDefinitions(plans));
    this.warnings.push(...(await largeObjectWarnings(plans, source.client, this.command)));
    if (definitions !== undefined) await this.predictLeftOut(definitions, clients);
    this.warnings.push(...(await predictSequences(plans, clients, environment.log)));
    this.warnings.push(...(await this.staleViews(target)));
    for (const failure of await predictViolations(plans, clients)) failures.add(failure);
    for (const failure of await predictDangling(plans, clients)) failures.add(failure);
    await this.predictOrphans(plans, clients);
    await this.countRows(plans, source.client);
    return definitions;
  }

  /** Tries on the target what the job would create and evaluate there, and rolls it back. */
  private async rehearse(
    databases: Databases,
    planned: Pick<RehearsalRequest, 'plans' | 'masks' | 'definitions'>,
  ): Promise<void> {
    const { command, contexts, environment, failures, sessions } = this;
    const { source, target } = databases;
    const { seed, referenceInstantMs } = command;
    await target.client.query('ROLLBACK'); // a failed check of rules can leave the session in a transaction
    const clients = { source: source.client, target: target.client };
    const calling = await failures.collect(() => tablesThatCallFunctions(planned.plans, clients));
    if (calling === undefined) return;
    const rehearsal = await failures.collect(() =>
      rehearseDefinitions(
        {
          ...{ ...planned, command, contexts, environment, source: source.client },
          material: { maskingKey: environment.keys.maskingKey, seed, referenceInstantMs },
          openSource: () => sessions.open(() => openSource({ command }, databases)),
          openTarget: () =>
            sessions.open(() => openJobSession(target.target, 'target', sessionName(command))),
        },
        calling,
        (deferring) => this.define(planned.plans, databases, deferring),
      ),
    );
    for (const { failure } of rehearsal?.failures ?? []) failures.add(failure);
    this.warnings.push(...notTried([...(rehearsal?.untried ?? [])]));
  }

  private async predictLeftOut({ needed }: TableDefinitions, clients: RuleDatabases): Promise<void> {
    const { command, environment } = this;
    const found = await findLeftOut(clients);
    const objects = found.filter(({ address }) => !needed.has(address));
    if (objects.length > 0) logNames(environment, { about: 'left_out', objects: namesOfLeftOut(objects) });
    this.leftOut = countByKind(objects);
    this.warnings.push(...(await dependentsLeftOut(objects, command, clients.source)));
    const unlisted = await unlistedWarnings({ command, source: clients.source }, environment);
    this.warnings.push(...unlisted);
  }

  private async predictOrphans(plans: readonly TablePlan[], clients: RuleDatabases): Promise<void> {
    const { command, environment, failures, warnings } = this;
    warnings.push(...skippedOrphans(plans, environment));
    const broken = await findOrphans(plans, clients);
    const kept = command.orphans === 'not_valid' ? await keptKeys(broken, clients) : [];
    warnings.push(...warnOfOrphans('orphans_kept', kept, environment));
    const others = broken.filter((one) => !kept.includes(one));
    await failures.collect(() => refuseOrphans(others, environment));
  }

  /** Warns about the materialized views that a run would not refresh. */
  private async staleViews({ client }: LocatedSession): Promise<readonly SyncWarning[]> {
    const { command, environment } = this;
    const views = await dependentViews(client, command);
    const stale = views.filter(({ mayRefresh }) => !mayRefresh || command.refreshMaterializedViews !== true);
    if (stale.length > 0)
      logNames(environment, {
        about: 'not_refreshed',
        statements: stale.map((view) => `${refreshSql(view)};`),
      });
    return viewWarning('materialized_views_stale', stale.length);
  }

  /** @returns the finalized masks; undefined if they cannot be made */
  private async checkRules(
    rules: PlannedRules,
    snapshot: Snapshot,
    registry: ModelRegistry,
    clients: RuleDatabases,
  ): Promise<JobMasks | undefined> {
    const { failures, command, environment, signal } = this;
    const { models: store, copy, now } = environment;
    const orders = await failures.collect(() => trainingOrders(rules.plans));
    if (orders === undefined) return undefined;
    const models = new TriedModels(store);
    const tried = new ModelRegistry(models, environment.builtin, registry.hosted, environment.log);
    const { untrained, warnings } = await tryTraining(orders, {
      ...{ snapshot, store: models, registry: tried, acceptedAt: new Date(command.acceptedAtMs) },
      ...{ signal, failures, now, limitMs: copy.trialTrainingMs ?? TRAINING_MS },
    });
    this.warnings.push(...warnings);
    const options = {
      ...compilerOptions(command, environment, tried.find),
      skip: (column: ColumnPlan) => waitsForTraining(untrained, column),
    };
    const masks = new Map<number, TableMasks>();
    for (const plan of rules.plans) {
      const compiled = await failures.collect(() => compileMasks(plan, options));
      if (compiled !== undefined) masks.set(plan.index, compiled);
    }
    // The values of a model that was not trained are unknown.
    if (masks.size < rules.plans.length || untrained.length > 0) return undefined;
    const finalized = await failures.collect(() => finalizeRules(rules, masks, clients));
    this.warnings.push(...(finalized?.warnings ?? []));
    return finalized?.masks;
  }

  private async countRows(plans: readonly TablePlan[], client: LocatedClient): Promise<void> {
    for (const { index, source, rowFilter } of plans) {
      const whole = await measureTable(client.at(index), source);
      const rows = rowFilter?.count ?? whole.rows;
      this.tables.push({ tableIndex: index, rows: roundedRows(rows) });
    }
  }
}

/** Returns the keys that can be NOT VALID on the target. */
async function keptKeys(
  broken: readonly BrokenKey[],
  clients: Readonly<Record<DatabaseSide, LocatedClient>>,
): Promise<readonly BrokenKey[]> {
  const version = await readMajorVersion(clients.target);
  const kept: BrokenKey[] = [];
  for (const one of broken) {
    const { plan, key } = one;
    const side = plan.target === undefined ? 'source' : 'target';
    const own = new Map([[(plan.target ?? plan.source).oid, plan.index]]);
    // A partition can have the key, too, so the kind of the table does not decide.
    const keys = await readKeyDefinitions(clients[side], own, own);
    const isPartitioned = keys.some(({ name, isPartitioned: is }) => name === key.name && is);
    if (canBeNotValid(isPartitioned, version)) kept.push(one);
  }
  return kept;
}

/** Returns a warning for each table that a run would create from the source's definition. */
function copiedDefinitions(plans: readonly TablePlan[]): readonly SyncWarning[] {
  const missing = plans.filter(({ target }) => target === undefined);
  return missing
    .slice(0, MAX_DEFINITION_WARNINGS)
    .map(({ index }) => ({ code: 'definition_copied', tableIndex: index }));
}

/** Returns a warning for each table that was not tried, up to a limit, and one that counts the others. */
function notTried(tables: readonly number[]): readonly SyncWarning[] {
  const code = 'definition_not_tried';
  const count = tables.length - MAX_DEFINITION_WARNINGS;
  const named = tables.slice(0, MAX_DEFINITION_WARNINGS).map((tableIndex) => ({ code, tableIndex }) as const);
  return count > 0 ? [...named, { code, count }] : named;
}

const MAX_DEFINITION_WARNINGS = 100;
const TRAINING_MS = 600_000;

interface Databases {
  readonly source: LocatedSession;
  readonly target: LocatedSession;
  readonly snapshot: Snapshot;
  readonly server: ServerIdentity;
}
