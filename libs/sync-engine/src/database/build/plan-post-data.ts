import type { EntrySql } from '@understudy/postgres';
import type { Build } from '../../stage/ledger/staging-ledger.js';
import type { KeyDefinition } from '../../stage/foreign-keys/key-definition.js';
import type { Step } from './build-ledger.js';

/** A relation whose indexes and keys can be built while other tables are read. */
export interface IndexedRelation {
  /** The oid of the table or the partition on the source. */
  readonly relation: string;
  /** The index of the job's table that contains it; undefined if the job copies no rows of it. */
  readonly tableIndex: number | undefined;
}

export interface PostDataRequest {
  /** The entries of the section post-data, in the order of pg_restore. */
  readonly entries: readonly EntrySql[];
  /** Returns the table of an index or of a key by the address of the entry; undefined for other objects. */
  readonly relationOf: (address: string) => IndexedRelation | undefined;
  /** The foreign keys that can be created as soon as all builds are done, by the address of the entry. */
  readonly keys: ReadonlyMap<string, KeyDefinition>;
  /** SQL that fills a materialized view, in the order in which they depend on each other. */
  readonly refreshes: readonly string[];
  /** SQL that analyzes a table of the job, by the table's index. */
  readonly analyses: ReadonlyMap<number, string>;
}

/**
 * Divides the post-data of a dump. Indexes, keys and statistics objects of tables become builds, one for each table or
 * partition, which run in parallel. The last build of each of the job's tables analyzes it.
 *
 * A foreign key is created after the builds, unless its referenced index is a step. Everything else becomes steps, which
 * run in the order of pg_restore. An index that needs another entry of this section is a step, and so is that of a
 * materialized view.
 */
export function planPostData({ entries, relationOf, keys, refreshes, analyses }: PostDataRequest): {
  readonly keys: readonly KeyDefinition[];
  readonly builds: readonly Build[];
  readonly steps: readonly Step[];
} {
  const ids = new Set(entries.map(({ id }) => id));
  const relations = new Map<string, RelationBuild>();
  const defining: string[] = [];
  const securing: string[] = [];
  const secured = new Set<string>();
  const built = new Set<string>();
  const early: KeyDefinition[] = [];
  for (const entry of entries) {
    const { address, needs, type, sql } = entry;
    const needsOther = needs.some((need) => ids.has(need));
    const key = keys.get(address ?? '');
    const relation =
      address === undefined || needsOther || !BUILT.test(type) ? undefined : relationOf(address);
    if (key !== undefined && needs.every((need) => built.has(need) || !ids.has(need))) {
      early.push(key);
    } else if (relation !== undefined) {
      built.add(entry.id);
      const build = relations.get(relation.relation) ?? { ...relation, building: [], attaching: [] };
      relations.set(relation.relation, build);
      // Other sessions can read the table only while the statement creates an index.
      (LOCKS_TABLE.test(sql) ? build.attaching : build.building).push(sql);
    } else if (SECURING.test(type) || needs.some((need) => secured.has(need))) {
      secured.add(entry.id);
      securing.push(sql);
    } else {
      defining.push(sql);
    }
  }
  const builds = [
    ...[...relations.values()].map(({ tableIndex, building, attaching }) => ({
      ...{ tableIndex, building: building.join('\n'), attaching: attaching.join('\n') },
    })),
    ...[...analyses].map(([tableIndex, building]) => ({ tableIndex, building, attaching: '' })),
  ];
  const inPhase = (phase: Step['phase'], all: readonly string[]) => all.map((sql) => ({ phase, sql }));
  const steps = [
    ...inPhase('define', defining),
    ...inPhase('refresh', refreshes),
    ...inPhase('secure', securing),
  ];
  return {
    keys: early,
    builds: builds.map((build, i) => ({ n: i + 1, ...build })),
    steps: steps.map((step, i) => ({ n: i + 1, ...step })),
  };
}

interface RelationBuild extends IndexedRelation {
  readonly building: string[];
  readonly attaching: string[];
}

/** The types of entries that belong to one table, and that ANALYZE or other entries need. A foreign key reads two tables. */
const BUILT = /^(?:INDEX|CONSTRAINT|STATISTICS) /;
const LOCKS_TABLE = /^ALTER TABLE /m;
/** The types of entries that hide rows from queries, or run code of the source for later statements. */
const SECURING = /^(?:ROW SECURITY|POLICY|EVENT TRIGGER) /;
