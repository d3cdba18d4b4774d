import type { NotRecomputed, TargetCheck } from '@understudy/sync-engine';
import type { VerificationCheck, VerificationKind } from '@understudy/sync-job';
import { count, formatNumber } from '../../terminal/numbers.js';

/** Returns what a check of a copy inspected: `59 rows`, `3 preserved columns`. */
export function verificationText(check: VerificationCheck): string {
  if (check.kind === 'row_count') return count(check.rows.target, 'row');
  return count(check.lookedAt, NOUNS[check.kind]);
}

const NOUNS: Readonly<Record<Exclude<VerificationKind, 'row_count'>, string>> = {
  preserved_columns: 'preserved column',
  nulled_columns: 'nulled column',
  masked_columns: 'masked column that differs',
  foreign_keys: 'foreign key',
  sequences: 'sequence',
};

type CheckOf<Kind extends TargetCheck['kind']> = Extract<TargetCheck, { kind: Kind }>;

/** Returns what a check of the finished target found, without the table's name: what holds, or why it does not. */
export function targetCheckText(check: TargetCheck): string {
  switch (check.kind) {
    case 'table':
      return 'the target has no such table';
    case 'row_count':
      return rowText(check);
    case 'recomputed_columns':
      return recomputedText(check);
    case 'masked_column':
      return maskedText(check);
    case 'preserved_columns':
      return preservedText(check);
    case 'nulled_columns':
      return check.outcome === 'fails'
        ? 'a column that was to be NULL holds values'
        : count(check.lookedAt, 'nulled column');
    case 'foreign_keys':
      return check.outcome === 'fails'
        ? 'a reference does not find its row'
        : count(check.lookedAt, 'foreign key');
    case 'sequences':
      return check.outcome === 'fails'
        ? 'a sequence would give a value again that a row has'
        : count(check.lookedAt, 'sequence');
  }
}

function rowText({ outcome, rows: { source, target, copied } }: CheckOf<'row_count'>): string {
  const moved =
    copied !== undefined && copied !== source ? `; the source has ${count(source, 'row')} by now` : '';
  if (outcome === 'holds') return `${count(target, 'row')}${moved}`;
  return copied === undefined
    ? `the target has ${count(target, 'row')}, the source ${formatNumber(source)}: one of them has changed since the copy`
    : `the target has ${count(target, 'row')}, and ${formatNumber(copied)} were copied${moved}`;
}

function preservedText({ outcome, lookedAt }: Extract<TargetCheck, { lookedAt: number }>): string {
  if (outcome === 'holds') return count(lookedAt, 'preserved column');
  return outcome === 'fails'
    ? 'a preserved column differs from the source: a row was changed since the copy, on one side or the other'
    : 'preserved columns cannot be compared: the source has other rows than when it was copied';
}

function recomputedText({
  outcome,
  columns,
  differing,
  isByPlace,
  reason,
}: CheckOf<'recomputed_columns'>): string {
  const list = columns.join(', ');
  if (outcome === 'holds') return `${count(columns.length, 'column')} masked again and the same (${list})`;
  if (reason !== undefined) return `${list} cannot be masked again and compared: ${WHY_NOT[reason]}`;
  const what =
    differing.length === 0
      ? 'values stand in other rows than the job puts them'
      : `${differing.join(', ')} ${differing.length === 1 ? 'differs' : 'differ'} from what the job makes of the source`;
  const rewritten = isByPlace
    ? '; without a primary key, values follow from the places of rows, which VACUUM FULL changes'
    : '';
  return `${what}: rows were changed since the copy, on one side or the other${rewritten}`;
}

const WHY_NOT: Readonly<Record<NotRecomputed, string>> = {
  unknown_run:
    'the state folder knows of no run into this target that completed, or of one into another target since',
  changed_rules:
    'the job file, the masking key, a private model or understudy itself is another one than when it was copied',
  source_moved: 'the source has other rows than when it was copied',
  rows_differ: 'the target has other rows than were copied',
  no_temporary_tables: 'the role may make no temporary tables on the target',
};

function maskedText({ outcome, column, differs, pairs, equal }: CheckOf<'masked_column'>): string {
  if (outcome === 'not_comparable')
    return `${column} cannot be compared row by row: no primary key of the table was preserved`;
  const share = `${formatNumber(equal)} of ${count(pairs, 'row')}`;
  if (outcome === 'fails')
    return `${column} has the source's value in ${share}, and its rule promises another one`;
  if (equal === 0) return `${column} differs in ${count(pairs, 'row')}`;
  return differs ? column : `${column} has the source's value in ${share}, which its rule may make`;
}
