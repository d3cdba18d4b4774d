import type { SyncRules } from '@understudy/sync-engine';

import { ConfigurationError } from '../config/agent-configuration.js';
import { type ColumnPattern, readColumnPatterns } from './column-patterns.js';
import { type DatabaseRules, readDatabases, readUrlRules, type UrlRule } from './database-rules.js';
import { type EncryptionRule, readEncryptionRule } from './encryption-rule.js';
import { type Entry, readBoolean, readChoice, readMap, readWholeNumber, readYaml } from './policy-reader.js';

/** The rules of a valid policy file. */
export interface PolicyRules extends SyncRules {
  readonly databases: DatabaseRules;
  readonly urls: readonly UrlRule[];
  readonly encryption: EncryptionRule;
  readonly columns: ColumnRules;
  readonly allowSourceCode: boolean;
  readonly allowSuperuserTarget: boolean;
  readonly training: TrainingRules;
  readonly snapshots: SnapshotRules;
  /** How long a database is kept after a restore has replaced it. If 0, it is dropped immediately. */
  readonly keepReplacedHours: number;
}

/** The columns whose original values must never reach a target. */
export interface ColumnRules {
  readonly neverPreserve: readonly ColumnPattern[];
  /** If defined, every column that can hold text is protected, except the columns that match these patterns. */
  readonly protectsTextBut: readonly ColumnPattern[] | undefined;
}

export interface TrainingRules {
  readonly isAllowed: boolean;
  /** The smallest permitted `min_values` of a rule. */
  readonly minValuesFloor: number;
}

export interface SnapshotRules {
  /** Snapshots below this age may not be deleted. */
  readonly minAgeHours: number;
}

/**
 * Equals the API's default for `min_values`. If a model contains text that only a few distinct values
 * have in common, it could reveal one of these values (docs/guides/model-privacy.md).
 */
export const DEFAULT_MIN_VALUES_FLOOR = 5;

/**
 * Parses a policy file. An unknown key is an error, because it may be a misspelt restriction.
 * @param variable returns the value of an environment variable; called with the value of `url_env`
 * @throws ConfigurationError that lists all problems; the message contains names but never URLs
 */
export function parsePolicy(text: string, variable: (name: string) => string | undefined): PolicyRules {
  const problems: string[] = [];
  const root = readMap(readYaml(text, problems) ?? {}, '', KEYS, problems);
  const encryption = readEncryptionRule(root, problems);
  const rules: PolicyRules = {
    databases: readDatabases(root['databases'], variable, encryption, problems),
    urls: readUrlRules(root['urls'], problems),
    encryption,
    columns: readColumnRules(root, problems),
    rejectsUnlisted: readChoice(root, 'unlisted', ['reject'], problems) !== undefined,
    allowWhere: readBoolean(root, 'allow_where', false, problems),
    allowSourceCode: readBoolean(root, 'allow_source_code', false, problems),
    allowSuperuserTarget: readBoolean(root, 'allow_superuser_target', false, problems),
    allowSecurityDefiner: readBoolean(root, 'allow_security_definer', false, problems),
    allowLargeObjects: readBoolean(root, 'allow_large_objects', false, problems),
    allowForeignServers: readBoolean(root, 'allow_foreign_servers', false, problems),
    allowEndSessions: readBoolean(root, 'allow_end_sessions', false, problems),
    maxDatabaseBytes: readWholeNumber(
      root['max_database_bytes'],
      'max_database_bytes',
      { least: 1, most: Number.MAX_SAFE_INTEGER, fallback: undefined },
      problems,
    ),
    training: readTrainingRules(root, problems),
    keepReplacedHours: readWholeNumber(
      root['keep_replaced_hours'],
      'keep_replaced_hours',
      { least: 0, most: MAX_HOURS, fallback: DEFAULT_KEEP_REPLACED_HOURS },
      problems,
    ),
    snapshots: readSnapshotRules(root['snapshots'], problems),
    reportNames: readBoolean(root, 'report_names', true, problems),
    allowSharedSchemas: readBoolean(root, 'allow_shared_schemas', false, problems),
  };
  refuseHiddenOriginals(rules, readBoolean(root, 'snapshots_hold_originals', false, problems), problems);
  if (problems.length > 0) throw new ConfigurationError('The policy file is not valid', problems);
  return rules;
}

function readColumnRules(root: Entry, problems: string[]): ColumnRules {
  const protects = readChoice(root, 'protect', ['all_text_unless_listed'], problems);
  const mayPreserve = readColumnPatterns(root, 'may_preserve', problems);
  if (root['may_preserve'] !== undefined && root['protect'] === undefined)
    problems.push('may_preserve: expected protect: all_text_unless_listed in the same policy');
  return {
    neverPreserve: readColumnPatterns(root, 'never_preserve', problems),
    protectsTextBut: protects && mayPreserve,
  };
}

/** Returns whether the rules can protect any column. */
export function protectsAny({ neverPreserve, protectsTextBut }: ColumnRules): boolean {
  return neverPreserve.length > 0 || protectsTextBut !== undefined;
}

/**
 * Adds a problem for each entry with the role `snapshot` if the policy protects columns, because snapshots
 * contain the original values of these columns.
 * @param isAccepted the policy's `snapshots_hold_originals`; if true, no problem is added
 */
function refuseHiddenOriginals(
  { columns, databases, urls }: PolicyRules,
  isAccepted: boolean,
  problems: string[],
): void {
  if (!protectsAny(columns) || isAccepted) return;
  const entries = [
    ...[...databases].map(([name, { roles }]) => ({ path: `databases.${name}`, roles })),
    ...urls.map(({ roles }, index) => ({ path: `urls[${index}]`, roles })),
  ];
  for (const { path } of entries.filter((entry) => entry.roles.has('snapshot'))) {
    problems.push(
      `${path}: the role snapshot keeps the original values of columns that never_preserve or protect covers; expected snapshots_hold_originals: true`,
    );
  }
}

function readSnapshotRules(value: unknown, problems: string[]): SnapshotRules {
  const entry = readMap(value ?? {}, 'snapshots', ['min_age_hours'], problems);
  const bounds = { least: 0, most: MAX_HOURS, fallback: 0 };
  const path = 'snapshots.min_age_hours';
  return { minAgeHours: readWholeNumber(entry['min_age_hours'], path, bounds, problems) };
}

function readTrainingRules(root: Entry, problems: string[]): TrainingRules {
  const bounds = { least: 1, most: 1_000_000, fallback: DEFAULT_MIN_VALUES_FLOOR };
  return {
    isAllowed: readBoolean(root, 'allow_training', true, problems),
    minValuesFloor: readWholeNumber(root['min_values_floor'], 'min_values_floor', bounds, problems),
  };
}

/** Leaves an operator time to notice a wrong restore and to put the old database back. */
const DEFAULT_KEEP_REPLACED_HOURS = 24;
/** One year, which is also the maximum lifetime of a snapshot. */
const MAX_HOURS = 365 * 24;
const KEYS = [
  ...['databases', 'urls', 'min_sslmode', 'allow_plaintext'],
  ...['never_preserve', 'protect', 'may_preserve', 'unlisted', 'allow_where'],
  ...['allow_source_code', 'allow_superuser_target'],
  ...['allow_security_definer', 'allow_large_objects', 'allow_foreign_servers', 'allow_end_sessions'],
  'max_database_bytes',
  ...[
    'allow_training',
    'min_values_floor',
    'snapshots',
    'snapshots_hold_originals',
    'keep_replaced_hours',
    'report_names',
    'allow_shared_schemas',
  ],
];
