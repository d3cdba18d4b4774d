import type { SnapshotPolicy } from '@understudy/snapshot-engine';
import { type ConnectionTarget, parseConnectionUrl } from '@understudy/postgres';
import { type DatabaseReference, SyncJobError } from '@understudy/sync-job';
import { type PolicyColumn, type PolicyTable, type SyncPolicy } from '@understudy/sync-engine';
import { matchesColumn } from './column-patterns.js';
import type { DatabaseRole } from './database-rules.js';
import { isEncryptedEnough } from './encryption-rule.js';
import { DEFAULT_MIN_VALUES_FLOOR, type PolicyRules } from './policy-document.js';
import { policySections, type PolicySections } from './policy-sections.js';

/** The customer's last word over what a job may touch; asked before anything is dialled. Injected by this class. */
export class Policy implements SyncPolicy, SnapshotPolicy {
  constructor(private readonly rules: PolicyRules) {}

  /** What the policy says about each database that it names, and about those that jobs name by URL; see {@link policySections}. */
  get sections(): PolicySections {
    return policySections(this.rules);
  }

  /** Whether a job may choose rows by a condition. */
  get allowWhere(): boolean {
    return this.rules.allowWhere;
  }

  /** Whether failures may name columns, types, schemas and roles of the databases. */
  get reportsNames(): boolean {
    return this.rules.reportNames;
  }

  /**
   * @throws SyncJobError `policy_denied`: not named, not in this role, or a URL that is more than a plain one; `sslmode_too_weak`: it
   * would be less encrypted than the policy demands
   */
  resolveDatabase(reference: DatabaseReference, role: DatabaseRole): ConnectionTarget {
    const target =
      reference.kind === 'agent' ? this.named(reference.name, role) : this.addressed(reference.url, role);
    if (target === undefined) throw new SyncJobError({ code: 'policy_denied', side: SIDE[role] });
    if (!isEncryptedEnough(target, this.rules.encryption))
      throw new SyncJobError({ code: 'sslmode_too_weak', side: SIDE[role] });
    return target;
  }

  /** Whether each table of a job has to reject columns that it does not list. */
  get rejectsUnlisted(): boolean {
    return this.rules.rejectsUnlisted;
  }

  /**
   * True for columns whose original values must never reach a target: `never_preserve` matches the table, one of its ancestors or one
   * of its partitions; or `protect` covers the column and `may_preserve` matches neither the table nor an ancestor.
   */
  refusesPreserve({ name, ancestors, partitions }: PolicyTable, column: PolicyColumn): boolean {
    const { neverPreserve, protectsTextBut } = this.rules.columns;
    if (matchesColumn(neverPreserve, [name, ...ancestors, ...partitions], column.name)) return true;
    if (protectsTextBut === undefined || !column.holdsText) return false;
    return !matchesColumn(protectsTextBut, [name, ...ancestors], column.name);
  }

  /** The least `min_values` with which a job may train a model on the column; undefined: training is not allowed. */
  trainingFloor(table: PolicyTable, column: PolicyColumn): number | undefined {
    const { isAllowed, minValuesFloor } = this.rules.training;
    if (!isAllowed) return undefined;
    return this.refusesPreserve(table, column)
      ? Math.max(minValuesFloor, DEFAULT_MIN_VALUES_FLOOR)
      : minValuesFloor;
  }

  /** How old a snapshot is before it may be deleted; 0: of any age. */
  get minSnapshotAgeMs(): number {
    return this.rules.snapshots.minAgeHours * 3_600_000;
  }

  /** For how long a database is kept after a restore with `overwrite` has replaced it; 0: it is dropped at once. */
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
    return undefined; // the reason would tell the control plane about a secret it cannot read
  }
}

const SIDE: Readonly<Record<DatabaseRole, 'source' | 'target'>> = {
  source: 'source',
  snapshot: 'source',
  target: 'target',
  restore: 'target',
};
