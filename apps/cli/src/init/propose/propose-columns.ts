import {
  emailOfNames,
  KIND_WORDS,
  MENTIONED,
  NULLS,
  proposeRules,
  reasonOf,
  typeGroup,
  leadingLocale,
  type Kind,
  type LocaleVotes,
  type RuleDefinition,
} from '@understudy/personal-data';
import type { DerivedKey } from '@understudy/postgres';
import type { SurveyedColumn, SurveyedReference } from '@understudy/sync-engine';
import { printable } from '../../terminal/printable.js';
import { columnGroups, type ColumnPath } from './column-groups.js';
import { nameColumns, tableWithBareEmails } from './name-columns.js';
import {
  type DetectedTable,
  type FoundColumn,
  type FoundPaths,
  type PersonalColumn,
  sqlTableName,
} from '../detect/detected-table.js';

/** The candidate rules for a group of columns that must get the same rule. */
export interface ColumnProposal {
  readonly paths: readonly ColumnPath[];
  /** The rules, best first. */
  readonly candidates: readonly RuleDefinition[];
  /** The detected content of the columns, in a word or two. */
  readonly what: string;
  readonly reason: string;
  /** The columns whose new values the first rule reads. The first rule can be used only if they all have rules. */
  readonly reads?: readonly string[];
  /** A further reason if the first rule cannot be used. */
  readonly ifNotFirst?: string;
  /** The reason why no rule can be used. */
  readonly blocker?: string;
}

/**
 * Proposes rules for all personal columns.
 * @param given the locale that the user chose; without it, the locale is detected from the values
 */
export function proposeColumns(
  detected: readonly DetectedTable[],
  references: readonly SurveyedReference[],
  given: string | undefined,
): readonly ColumnProposal[] {
  const locale = given ?? leadingLocale(allVotes(detected)) ?? 'en_US';
  const choice = { locale, isGiven: given !== undefined };
  const bare = tableWithBareEmails(detected);
  // The reason is the same for all columns, so only the first one has it.
  let isExplained = false;
  return columnGroups(detected, references).flatMap((paths) => {
    const proposal = proposalOf(paths, detected, choice);
    if (proposal === undefined) return [];
    const named = withNames(proposal, detected, choice);
    if (named === undefined) return proposal;
    if (bare === undefined) return named;
    if (isExplained) return proposal;
    isExplained = true;
    const because = `${printable(sqlTableName(bare.table.name))} has addresses without names, and equal addresses get equal new values`;
    return {
      ...proposal,
      reason: `${proposal.reason}; addresses are not made from the new names, because ${because}`,
    };
  });
}

/**
 * Adds a rule that makes an e-mail address from the new names of a person in the same row. Returns undefined
 * if that is not possible.
 */
function withNames(
  proposal: ColumnProposal,
  detected: readonly DetectedTable[],
  choice: LocaleChoice,
): ColumnProposal | undefined {
  const [path, ...others] = proposal.paths;
  const table = detected[path?.table ?? -1];
  if (path === undefined || others.length > 0 || table === undefined || proposal.candidates.length === 0)
    return undefined;
  const own = personalOf(table, path.column);
  if (own === undefined || own.column.isArray || !('detection' in own.found)) return undefined;
  const names = own.found.detection.kind === 'email' ? nameColumns(table) : undefined;
  if (names === undefined) return undefined;
  const reads = (names.first ?? names.last) ? [names.first, names.last] : [names.full];
  const columns = reads.flatMap((column) => column?.name ?? []);
  const locales = columns.map((column) => {
    const found = personalOf(table, column)?.found;
    return found !== undefined && 'votes' in found ? localeOf(found, table, choice) : choice.locale;
  });
  const rule = emailOfNames(
    {
      locales,
      maxLength: own.column.maxLength ?? Infinity,
      isUnique: isUnique(table, path.column),
      rows: rowsOf(table),
    },
    names,
  );
  if (rule === undefined) return undefined;
  const [unique = rule] = withoutRepeats([rule], derivedKeysOf(table, path.column));
  const reason = `${proposal.reason}; made from the new ${columns.map(printable).join(' and ')}`;
  return { ...proposal, candidates: [unique, ...proposal.candidates], reads: columns, reason };
}

interface LocaleChoice {
  readonly locale: string;
  readonly isGiven: boolean;
}

function* allVotes(detected: readonly DetectedTable[]) {
  for (const { personal } of detected)
    for (const { found } of personal) if ('votes' in found) yield found.votes;
}

function proposalOf(
  paths: readonly ColumnPath[],
  detected: readonly DetectedTable[],
  choice: LocaleChoice,
): ColumnProposal | undefined {
  const members = paths.flatMap((path) => {
    const table = detected[path.table];
    const column = table?.table.columns.find(({ name }) => name === path.column);
    return table === undefined || column === undefined ? [] : [{ path, table, column }];
  });
  const owner = members
    .map((member) => ({ member, personal: personalOf(member.table, member.path.column) }))
    .find(({ personal }) => personal !== undefined);
  const personal = owner?.personal;
  if (owner === undefined || personal === undefined) return undefined;
  const isPartitionKey = members.some(({ column }) => column.decidesPartition);
  if ('paths' in personal.found) {
    const proposal = documentProposal(
      paths,
      personal.found,
      choice,
      wholeRules(owner.member.table, personal.column),
    );
    const blocker = isPartitionKey ? PARTITION : paths.length > 1 ? 'it is part of a foreign key' : undefined;
    return blocker === undefined ? proposal : { ...proposal, candidates: [], blocker };
  }
  const { detection, values } = personal.found;
  const kindOfKey = typeGroup(owner.member.column.type);
  const what = KIND_WORDS[detection.kind];
  const reason = reasonOf(detection);
  // A number that only connects rows is not personal data.
  if (paths.length > 1 && kindOfKey === 'number' && detection.because.name !== 'strong') return undefined;
  if (isPartitionKey) return { paths, candidates: [], what, reason, blocker: PARTITION };
  const isJoined = paths.length > 1;
  const derived = members.flatMap(({ table, path }) => derivedKeysOf(table, path.column));
  const rules = proposeRules({
    ...{ detection, values, group: kindOfKey, type: owner.member.column.type },
    isArray: owner.member.column.isArray,
    locale: localeOf(personal.found, owner.member.table, choice),
    isNullable: !isJoined && !personal.column.notNull && !isUnique(owner.member.table, personal.column.name),
    isUnique: isJoined || members.some(({ table, path }) => isUnique(table, path.column)),
    rows: Math.max(...members.map(({ table }) => rowsOf(table))),
    ...shortest(members.map(({ column }) => column.maxLength)),
  });
  return { paths, candidates: withoutRepeats(rules, derived), what, reason };
}

/**
 * Returns the unique keys that the server computes from a column. If it computes a key from several personal columns,
 * only the last one counts, because it is enough that one of them never repeats. If one of them is unique by itself,
 * none counts.
 */
function derivedKeysOf(table: DetectedTable, column: string): readonly DerivedKey[] {
  return table.table.derivedKeys.filter(
    ({ columns }) =>
      columns.filter((name) => personalOf(table, name) !== undefined).at(-1) === column &&
      !columns.some((name) => isKey(table, name)),
  );
}

/**
 * Requires different values of the rules for a column in such keys, which the engine does not recognise. If a key has
 * further parts, originals may repeat, and then a consistent rule must repeat their values.
 */
function withoutRepeats(
  rules: readonly RuleDefinition[],
  keys: readonly DerivedKey[],
): readonly RuleDefinition[] {
  if (keys.length === 0) return rules;
  const isSingle = keys.some((key) => key.isSingle);
  return rules.map((rule) =>
    rule['nullable'] === 1 || (rule['consistent'] === true && !isSingle) ? rule : { ...rule, unique: true },
  );
}

/** Estimates the number of rows. The planner has no estimate for a table that was never analysed. */
function rowsOf({ table, rows }: DetectedTable): number {
  return Math.max(table.estimatedRows, Math.round(rows.sampled / rows.share));
}

const PARTITION = "its value determines the row's partition";

/** Proposes a rule for the paths of documents, or a rule that replaces whole values. */
function documentProposal(
  paths: readonly ColumnPath[],
  { paths: inside, elsewhere, whole }: FoundPaths,
  { locale }: LocaleChoice,
  wholeRules: readonly RuleDefinition[],
): ColumnProposal {
  const kinds = [...new Set(inside.map(({ detection }) => KIND_WORDS[detection.kind]))];
  const what = kinds.length === 0 ? 'personal values in keys or at places without a path' : kinds.join(', ');
  const shown = inside
    .slice(0, MAX_REASONS)
    .map(({ location, detection }) => `${location.path}: ${reasonOf(detection)}`);
  const reasons = [
    ...shown,
    ...(inside.length > shown.length ? [`… and ${inside.length - shown.length} more paths`] : []),
    ...(elsewhere === 0 ? [] : [`keys, or values without a path, that mention ${MENTIONED}: ${elsewhere}`]),
  ];
  if (whole !== undefined) {
    const reason = [...reasons, `the rule replaces the whole value, because ${whole}`].join('\n');
    const blocker = `${whole}, and the column accepts neither NULL nor an empty value`;
    return { paths, candidates: wholeRules, what, reason, blocker };
  }
  const rules = inside.flatMap(({ location, detection }) => {
    const [rule] = proposeRules({
      ...{ detection, values: location.values, group: typeGroup(location.type), type: location.type },
      ...{ isArray: false, isNullable: false, isUnique: false, rows: 0, locale },
    });
    return rule === undefined ? [] : [[location.path, rule] as const];
  });
  return {
    paths,
    candidates: [{ json: Object.fromEntries(rules) }, ...wholeRules],
    ...{ what, reason: reasons.join('\n') },
    ifNotFirst:
      'the rule replaces the whole value, because a constraint, an index or a generated column accepts no documents with new values at these paths',
  };
}

const MAX_REASONS = 100;

/** Returns rules that replace whole documents or composite values: by NULL or by a value without contents. */
function wholeRules(
  table: DetectedTable,
  { name, isArray, isComposite, fields, notNull, type }: SurveyedColumn,
): readonly RuleDefinition[] {
  // Equal values would break the key.
  if (table.table.unique.some(({ columns }) => columns.includes(name))) return [];
  const json = type === 'hstore' ? '' : '{}';
  const empty = isArray ? '{}' : isComposite ? `(${','.repeat(Math.max(0, fields - 1))})` : json;
  return [...(notNull ? [] : [NULLS]), { type: 'list', values: [empty] }];
}

/**
 * Returns the locale for a column's new values. If the user chose a locale, returns that locale. Otherwise,
 * returns the locale that the column's values match best, or the default locale if the match is not clearly
 * better than the match with the default. The first and last names of a table have one locale, because the names of a
 * person could otherwise be of two languages and, in some languages, of two sexes.
 */
function localeOf(
  { votes, detection }: FoundColumn,
  table: DetectedTable,
  { locale, isGiven }: LocaleChoice,
): string {
  if (isGiven || !OWN_LOCALE.has(detection.kind)) return locale;
  const counted = PARTS_OF_NAMES.has(detection.kind) ? votesOf(table, PARTS_OF_NAMES) : [votes];
  const own = leadingLocale(counted);
  if (own === undefined) return locale;
  const sum = (of: string) => counted.reduce((total, one) => total + (one.get(of) ?? 0), 0);
  return sum(own) > 1.3 * sum(locale) ? own : locale;
}

const OWN_LOCALE: ReadonlySet<Kind> = new Set(['first_name', 'last_name', 'full_name', 'city']);
const PARTS_OF_NAMES: ReadonlySet<Kind> = new Set(['first_name', 'last_name']);

function votesOf({ personal }: DetectedTable, kinds: ReadonlySet<Kind>): LocaleVotes[] {
  return personal.flatMap(({ found }) =>
    'votes' in found && kinds.has(found.detection.kind) ? [found.votes] : [],
  );
}

function personalOf({ personal }: DetectedTable, name: string): PersonalColumn | undefined {
  return personal.find(({ column }) => column.name === name);
}

function isUnique(table: DetectedTable, column: string): boolean {
  return isKey(table, column) || derivedKeysOf(table, column).length > 0;
}

function isKey({ table }: DetectedTable, column: string): boolean {
  return table.unique.some(({ columns }) => columns.length === 1 && columns[0] === column);
}

function shortest(lengths: readonly (number | undefined)[]): { readonly maxLength?: number } {
  const known = lengths.filter((length) => length !== undefined);
  return known.length === 0 ? {} : { maxLength: Math.min(...known) };
}

/**
 * Proposes an empty value for each tsvector column of a table with personal columns, because a tsvector may
 * contain words from the personal columns. The server recomputes each `GENERATED` column, so
 * such a column needs no rule.
 */
export function searchIndexes(detected: readonly DetectedTable[]): readonly ColumnProposal[] {
  return detected.flatMap(({ table, personal }, index) =>
    personal.length === 0
      ? []
      : table.columns
          .filter(({ type, isGenerated, isArray }) => type === 'tsvector' && !isGenerated && !isArray)
          .map(({ name }) => ({
            paths: [{ table: index, column: name }],
            candidates: [{ type: 'list', values: [''] }],
            what: 'a search index',
            reason: 'its type is tsvector, so it contains words of other columns, some of which get rules',
          })),
  );
}
