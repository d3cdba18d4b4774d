import type { PolicySummary } from '@understudy/agent-protocol';
import type { SnapshotPolicy } from '@understudy/snapshot-engine';
import { type ConnectionTarget, type DatabaseRole, parseConnectionUrl } from '@understudy/postgres';
import { type DatabaseReference, SyncJobError } from '@understudy/sync-job';
import type { PolicyColumn, PolicyTable, SyncPolicy } from '@understudy/sync-engine';
import { matchesColumn } from './column-patterns.js';
import { isEncryptedEnough } from './encryption-rule.js';
import { DEFAULT_MIN_VALUES_FLOOR, type PolicyRules, protectsAny } from './policy-document.js';
import { policySections, type PolicySections } from './policy-sections.js';
import { policySummary } from './policy-summary.js';

/** The customer's policy. It decides what a job may access, before the agent connects to a database. */
export class Policy implements SyncPolicy, SnapshotPolicy {
  constructor(readonly rules: PolicyRules) {}

  /**
   * The policy as canonical texts, for comparison with other agents; see {@link policySections}.
   */
  get sections(): PolicySections {
    return policySections(this.rules);
  }

  /** The counts, limits and choices of the policy, which heartbeats report. */
  get summary(): PolicySummary {
    return policySummary(this.rules);
  }

  /** Whether reported failures of snapshots may contain names. */
  get reportsNames(): boolean {
    return this.rules.reportNames;
  }

  /**
   * Returns how to connect to a database of a job, if the policy admits the database in this role.
   * @throws SyncJobError `policy_denied` if the policy does not admit it, or its URL cannot be parsed;
   * `sslmode_too_weak` if the connection would have weaker encryption than the policy requires
   */
  resolveDatabase(reference: DatabaseReference, role: DatabaseRole): ConnectionTarget {
    const target =
      reference.kind === 'agent' ? this.named(reference.name, role) : this.addressed(reference.url, role);
    if (target === undefined) throw new SyncJobError({ code: 'policy_denied', side: SIDE[role] });
    if (!isEncryptedEnough(target, this.rules.encryption))
      throw new SyncJobError({ code: 'sslmode_too_weak', side: SIDE[role] });
    return target;
  }

  /** Returns the second login of a database with the role `replace`. Does not connect. */
  resolveBuildLogin(reference: DatabaseReference): ConnectionTarget | undefined {
    return reference.kind === 'agent' ? this.rules.databases.get(reference.name)?.buildLogin : undefined;
  }

  /** Returns the database from which a job creates the one that replaces a database. */
  templateOf(reference: DatabaseReference): string | undefined {
    return reference.kind === 'agent' ? this.rules.databases.get(reference.name)?.template : undefined;
  }

  /**
   * Returns whether the original values of a column must never reach a target. This is true in two cases. Either
   * `never_preserve` matches the table, one of its ancestors or one of its partitions. Or `protect` covers the column,
   * and `may_preserve` matches neither the table nor an ancestor.
   */
  refusesPreserve({ name, ancestors, partitions }: PolicyTable, column: PolicyColumn): boolean {
    const { neverPreserve, protectsTextBut } = this.rules.columns;
    if (matchesColumn(neverPreserve, [name, ...ancestors, ...partitions], column.name)) return true;
    if (protectsTextBut === undefined || !column.holdsText) return false;
    return !matchesColumn(protectsTextBut, [name, ...ancestors], column.name);
  }

  /** Whether the policy protects columns. */
  get protectsColumns(): boolean {
    return protectsAny(this.rules.columns);
  }

  /** Returns the smallest `min_values` for training a model on the column, or undefined if training is not allowed. */
  trainingFloor(table: PolicyTable, column: PolicyColumn): number | undefined {
    const { isAllowed, minValuesFloor } = this.rules.training;
    if (!isAllowed) return undefined;
    return this.refusesPreserve(table, column)
      ? Math.max(minValuesFloor, DEFAULT_MIN_VALUES_FLOOR)
      : minValuesFloor;
  }

  /** The minimum age at which a snapshot may be deleted. */
  get minSnapshotAgeMs(): number {
    return this.rules.snapshots.minAgeHours * 3_600_000;
  }

  /** How long a database is kept after a restore with `overwrite` has replaced it. If 0, it is dropped immediately. */
  get keepReplacedMs(): number {
    return this.rules.keepReplacedHours * 3_600_000;
  }

  private named(name: string, role: DatabaseRole): ConnectionTarget | undefined {
    const database = this.rules.databases.get(name);
    return database?.roles.has(role) === true ? database.target : undefined;
  }

  private addressed(url: string, role: DatabaseRole): ConnectionTarget | undefined {
    const target = parsedOrUndefined(url);
    const admitted = this.rules.urls.some(
      (rule) =>
        target !== undefined &&
        rule.host === target.host &&
        (rule.port === '*' || rule.port === target.port) &&
        (rule.databases.includes('*') || rule.databases.includes(target.database)) &&
        rule.roles.has(role),
    );
    return admitted ? target : undefined;
  }
}

function parsedOrUndefined(url: string): ConnectionTarget | undefined {
  try {
    return parseConnectionUrl(url);
  } catch {
    return undefined; // the reason would reveal something about a URL that the control plane must not read
  }
}

const SIDE: Readonly<Record<DatabaseRole, 'source' | 'target'>> = {
  source: 'source',
  snapshot: 'source',
  target: 'target',
  restore: 'target',
  replace: 'target',
};
