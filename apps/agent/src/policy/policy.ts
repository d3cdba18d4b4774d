import type { SnapshotPolicy } from '@understudy/snapshot-engine';
import {
  type ConnectionTarget,
  type DatabaseReference,
  type PolicyColumn,
  type PolicyTable,
  parseConnectionUrl,
  SyncJobError,
  type SyncPolicy,
  type TableName,
} from '@understudy/sync-engine';
import {
  type ColumnPattern,
  type DatabaseRole,
  isEncryptedEnough,
  type PolicyRules,
} from './policy-document.js';

/** The customer's last word over what a job may touch; asked before anything is dialled. Injected by this class. */
export class Policy implements SyncPolicy, SnapshotPolicy {
  constructor(private readonly rules: PolicyRules) {}

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

  /**
   * True for columns whose original values must never reach a target: a pattern matches the table, one of its ancestors or one of its
   * partitions. Names as in the catalog, unquoted.
   */
  refusesPreserve({ name, ancestors, partitions }: PolicyTable, column: PolicyColumn): boolean {
    return matches(this.rules.neverPreserve, [name, ...ancestors, ...partitions], column);
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

function matches(
  patterns: readonly ColumnPattern[],
  names: readonly TableName[],
  column: PolicyColumn,
): boolean {
  return patterns
    .filter(([, , columns]) => columns.test(column.name))
    .some(([schemas, tables]) =>
      names.some(({ schema, table }) => schemas.test(schema) && tables.test(table)),
    );
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
