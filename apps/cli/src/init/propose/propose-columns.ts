import {
  emailOfNames,
  KIND_WORDS,
  proposeRules,
  reasonOf,
  typeGroup,
  leadingLocale,
  type Kind,
  type RuleDefinition,
} from '@understudy/personal-data';
import type { SurveyedReference } from '@understudy/sync-engine';
import { columnGroups, type ColumnPath } from './column-groups.js';
import { hasEmailsWithoutNames, nameColumns } from './name-columns.js';
import type { FoundPlaces, FoundWhole, PersonalColumn, TableFindings } from '../detect/findings.js';

/** The rules for columns that get the same rule, best first. */
export interface ColumnProposal {
  readonly paths: readonly ColumnPath[];
  readonly candidates: readonly RuleDefinition[];
  readonly what: string;
  readonly reason: string;
  /** Columns of the table whose new values the first rule reads: it needs rules for all of them. */
  readonly reads?: readonly string[];
  /** Why none of them may be used. */
  readonly obstacle?: string;
}

/** Proposes rules for all that was found. @param given the locale that the user wants, whatever the values say */
export function proposeColumns(
  findings: readonly TableFindings[],
  references: readonly SurveyedReference[],
  given: string | undefined,
): readonly ColumnProposal[] {
  const locale = given ?? leadingLocale(allVotes(findings)) ?? 'en_US';
  const choice = { locale, isGiven: given !== undefined };
  const followsNames = !hasEmailsWithoutNames(findings);
  return columnGroups(findings, references).flatMap((paths) => {
    const proposal = proposalOf(paths, findings, choice);
    if (proposal === undefined) return [];
    return (followsNames ? withNames(proposal, findings, choice) : undefined) ?? proposal;
  });
}

/** Proposes an e-mail address that is made of the names of its row, if that is possible. */
function withNames(
  proposal: ColumnProposal,
  findings: readonly TableFindings[],
  choice: LocaleChoice,
): ColumnProposal | undefined {
  const [path, ...others] = proposal.paths;
  const table = findings[path?.table ?? -1];
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
    return found !== undefined && 'votes' in found ? localeOf(found, choice) : choice.locale;
  });
  const rule = emailOfNames(
    {
      locales,
      maxLength: own.column.maxLength ?? Infinity,
      isUnique: isUnique(table, path.column),
      rows: Math.max(table.table.estimatedRows, table.sampledRows),
    },
    names,
  );
  if (rule === undefined) return undefined;
  const reason = `${proposal.reason}; made of the new ${columns.join(' and ')}`;
  return { ...proposal, candidates: [rule, ...proposal.candidates], reads: columns, reason };
}

interface LocaleChoice {
  readonly locale: string;
  readonly isGiven: boolean;
}

function* allVotes(findings: readonly TableFindings[]) {
  for (const { personal } of findings)
    for (const { found } of personal) if ('votes' in found) yield found.votes;
}

function proposalOf(
  paths: readonly ColumnPath[],
  findings: readonly TableFindings[],
  choice: LocaleChoice,
): ColumnProposal | undefined {
  const members = paths.flatMap((path) => {
    const table = findings[path.table];
    const column = table?.table.columns.find(({ name }) => name === path.column);
    return table === undefined || column === undefined ? [] : [{ path, table, column }];
  });
  const owner = members
    .map((member) => ({ member, personal: personalOf(member.table, member.path.column) }))
    .find(({ personal }) => personal !== undefined);
  const personal = owner?.personal;
  if (owner === undefined || personal === undefined) return undefined;
  if ('places' in personal.found)
    return paths.length > 1 ? undefined : jsonProposal(paths, personal.found, choice);
  const { detection, values } = personal.found;
  const kindOfKey = typeGroup(owner.member.column.type);
  const what = KIND_WORDS[detection.kind];
  const reason = reasonOf(detection);
  // A number that joins rows is not personal itself.
  if (paths.length > 1 && kindOfKey === 'number' && detection.because.name !== 'strong') return undefined;
  if (members.some(({ column }) => column.decidesPartition))
    return { paths, candidates: [], what, reason, obstacle: 'it decides in which partition a row lies' };
  const isJoined = paths.length > 1;
  const candidates = proposeRules({
    ...{ detection, values, group: kindOfKey, type: owner.member.column.type },
    isArray: owner.member.column.isArray,
    locale: localeOf(personal.found, choice),
    isNullable: !isJoined && !personal.column.notNull && !isUnique(owner.member.table, personal.column.name),
    isUnique: isJoined || members.some(({ table, path }) => isUnique(table, path.column)),
    rows: Math.max(...members.map(({ table }) => Math.max(table.table.estimatedRows, table.sampledRows))),
    ...shortest(members.map(({ column }) => column.maxLength)),
  });
  return { paths, candidates, what, reason };
}

function jsonProposal(
  paths: readonly ColumnPath[],
  { places: inside }: FoundPlaces,
  { locale }: LocaleChoice,
): ColumnProposal {
  const rules = inside.flatMap(({ place, detection }) => {
    const [rule] = proposeRules({
      ...{ detection, values: place.values, group: typeGroup(place.type), type: place.type },
      ...{ isArray: false, isNullable: false, isUnique: false, rows: 0, locale },
    });
    return rule === undefined ? [] : [[place.path, rule] as const];
  });
  const kinds = [...new Set(inside.map(({ detection }) => KIND_WORDS[detection.kind]))];
  const reason = inside.map(({ place, detection }) => `${place.path}: ${reasonOf(detection)}`).join('\n');
  return { paths, candidates: [{ json: Object.fromEntries(rules) }], what: kinds.join(', '), reason };
}

/** Returns the locale that knows most of the column's values, unless the user chose one or there are too few. */
function localeOf({ votes, detection }: FoundWhole, { locale, isGiven }: LocaleChoice): string {
  if (isGiven || !OWN_LOCALE.has(detection.kind)) return locale;
  const own = leadingLocale([votes]);
  if (own === undefined) return locale;
  return (votes.get(own) ?? 0) > 1.3 * (votes.get(locale) ?? 0) ? own : locale;
}

const OWN_LOCALE: ReadonlySet<Kind> = new Set(['first_name', 'last_name', 'full_name', 'city']);

function personalOf({ personal }: TableFindings, name: string): PersonalColumn | undefined {
  return personal.find(({ column }) => column.name === name);
}

function isUnique({ table }: TableFindings, column: string): boolean {
  return table.unique.some(({ columns }) => columns.length === 1 && columns[0] === column);
}

function shortest(lengths: readonly (number | undefined)[]): { readonly maxLength?: number } {
  const known = lengths.filter((length) => length !== undefined);
  return known.length === 0 ? {} : { maxLength: Math.min(...known) };
}

/** Empties columns of type tsvector beside columns that get rules: they hold words of texts. Computed ones follow by themselves. */
export function searchIndexes(findings: readonly TableFindings[]): readonly ColumnProposal[] {
  return findings.flatMap(({ table, personal }, index) =>
    personal.length === 0
      ? []
      : table.columns
          .filter(({ type, isGenerated, isArray }) => type === 'tsvector' && !isGenerated && !isArray)
          .map(({ name }) => ({
            paths: [{ table: index, column: name }],
            candidates: [{ type: 'list', values: [''] }],
            what: 'a search index',
            reason: 'its type says that it holds the words of other columns, and some of those get rules',
          })),
  );
}
