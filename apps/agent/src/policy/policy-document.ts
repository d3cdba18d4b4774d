import { ConfigurationError } from '../config/agent-configuration.js';
import { type ColumnPattern, readColumnPatterns } from './column-patterns.js';
import { type DatabaseRules, readDatabases, readUrlRules, type UrlRule } from './database-rules.js';
import { type EncryptionRule, readEncryptionRule } from './encryption-rule.js';
import { type Entry, readBoolean, readChoice, readMap, readWholeNumber, readYaml } from './policy-reader.js';

/** The policy file, checked. */
export interface PolicyRules {
  readonly databases: DatabaseRules;
  readonly urls: readonly UrlRule[];
  readonly encryption: EncryptionRule;
  readonly columns: ColumnRules;
  /** Whether each table of a job has to say `unlisted_columns: "reject"`. */
  readonly rejectsUnlisted: boolean;
  readonly allowWhere: boolean;
  readonly training: TrainingRules;
  readonly snapshots: SnapshotRules;
  /** How long databases stay that restores have replaced; 0: not at all. */
  readonly keepReplacedHours: number;
  /** Whether failures may hold identifiers of the catalogs. */
  readonly reportNames: boolean;
}

/** Which columns' originals must never reach a target. */
export interface ColumnRules {
  readonly neverPreserve: readonly ColumnPattern[];
  /** Undefined: only what `neverPreserve` matches is protected. */
  readonly protectsTextBut: readonly ColumnPattern[] | undefined;
}

export interface TrainingRules {
  readonly isAllowed: boolean;
  /** The least `min_values` of a rule. */
  readonly minValuesFloor: number;
}

export interface SnapshotRules {
  /** Younger ones are not deleted; 0: all may be. */
  readonly minAgeHours: number;
}

/** The API's default for `min_values`: fewer values would let single ones show through (docs/privacy.md). */
export const DEFAULT_MIN_VALUES_FLOOR = 5;

/**
 * Reads a policy file. Strict: an unknown key may be a misspelt restriction and is an error.
 * @param variable looks up `url_env`
 * @throws ConfigurationError with all problems; it quotes names, never URLs
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
    training: readTrainingRules(root, problems),
    keepReplacedHours: readWholeNumber(
      root['keep_replaced_hours'],
      'keep_replaced_hours',
      { least: 0, most: MAX_HOURS, fallback: DEFAULT_KEEP_REPLACED_HOURS },
      problems,
    ),
    snapshots: readSnapshotRules(root['snapshots'], problems),
    reportNames: readBoolean(root, 'report_names', true, problems),
  };
  refuseHiddenOriginals(rules, readBoolean(root, 'snapshots_hold_originals', false, problems), problems);
  if (problems.length > 0) throw new ConfigurationError('The policy file is not valid', problems);
  return rules;
}

function readColumnRules(root: Entry, problems: string[]): ColumnRules {
  const protects = readChoice(root, 'protect', ['all_text_unless_listed'], problems);
  const mayPreserve = readColumnPatterns(root, 'may_preserve', problems);
  if (root['may_preserve'] !== undefined && root['protect'] === undefined)
    problems.push('may_preserve: expected protect: all_text_unless_listed beside it');
  return {
    neverPreserve: readColumnPatterns(root, 'never_preserve', problems),
    protectsTextBut: protects && mayPreserve,
  };
}

/** A snapshot keeps whole rows: whoever protects columns has to say that snapshots hold these too. */
function refuseHiddenOriginals(
  { columns, databases, urls }: PolicyRules,
  isAccepted: boolean,
  problems: string[],
): void {
  const protects = columns.neverPreserve.length > 0 || columns.protectsTextBut !== undefined;
  if (!protects || isAccepted) return;
  const places = [
    ...[...databases].map(([name, { roles }]) => ({ path: `databases.${name}`, roles })),
    ...urls.map(({ roles }, index) => ({ path: `urls[${index}]`, roles })),
  ];
  for (const { path } of places.filter((place) => place.roles.has('snapshot'))) {
    problems.push(
      `${path}: the role snapshot keeps the originals of columns that never_preserve or protect names; expected snapshots_hold_originals: true`,
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

/** Long enough for somebody to see what happened and put the database back. */
const DEFAULT_KEEP_REPLACED_HOURS = 24;
/** A year: as long as a snapshot can be asked to be kept. */
const MAX_HOURS = 365 * 24;
const KEYS = [
  ...['databases', 'urls', 'min_sslmode', 'allow_plaintext'],
  ...['never_preserve', 'protect', 'may_preserve', 'unlisted', 'allow_where'],
  ...[
    'allow_training',
    'min_values_floor',
    'snapshots',
    'snapshots_hold_originals',
    'keep_replaced_hours',
    'report_names',
  ],
];
