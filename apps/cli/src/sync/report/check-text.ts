import type { NotRecomputed, TargetCheck } from '@understudy/sync-engine';
import type { VerificationCheck, VerificationKind } from '@understudy/sync-job';
import { count, formatNumber } from '../../terminal/numbers.js';

/** Describes the extent of a verification check, such as `59 rows` or `3 preserved columns`. */
export function verificationText(check: VerificationCheck): string {
  if (check.kind === 'row_count') return count(check.rows.target, 'row');
  return count(check.lookedAt, NOUNS[check.kind]);
}

const NOUNS: Readonly<Record<Exclude<VerificationKind, 'row_count'>, string>> = {
  preserved_columns: 'preserved column',
  nulled_columns: 'nulled column',
  masked_columns: 'masked column that differs',
  joins: 'foreign key with equal joins',
  foreign_keys: 'foreign key',
  sequences: 'sequence',
};

type CheckOf<Kind extends TargetCheck['kind']> = Extract<TargetCheck, { kind: Kind }>;

/** Describes the result of a check of a finished target, without the table's name. States why a check failed. */
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
        ? 'a column that the job sets to NULL contains values'
        : count(check.lookedAt, 'nulled column');
    case 'joins':
      return joinText(check);
    case 'foreign_keys':
      return check.outcome === 'fails'
        ? 'a foreign key references a row that does not exist'
        : count(check.lookedAt, 'foreign key');
    case 'sequences':
      return check.outcome === 'fails'
        ? 'the next value of a sequence already exists in a row'
        : count(check.lookedAt, 'sequence');
  }
}

function rowText({ outcome, rows: { source, target, copied } }: CheckOf<'row_count'>): string {
  const moved =
    copied !== undefined && copied !== source ? `; the source now has ${count(source, 'row')}` : '';
  if (outcome === 'holds') return `${count(target, 'row')}${moved}`;
  return copied === undefined
    ? `the target has ${count(target, 'row')}, but the source has ${formatNumber(source)}: one of them has changed since the copy`
    : `the target has ${count(target, 'row')}, but ${formatNumber(copied)} were copied${moved}`;
}

function preservedText({ outcome, lookedAt }: Extract<TargetCheck, { lookedAt: number }>): string {
  if (outcome === 'holds') return count(lookedAt, 'preserved column');
  return outcome === 'fails'
    ? 'a preserved column differs from the source: rows have changed since the copy, in the source or the target'
    : 'preserved columns cannot be compared: the number of rows in the source has changed since the copy';
}

function joinText({ outcome, lookedAt }: Extract<TargetCheck, { lookedAt: number }>): string {
  if (outcome === 'holds') return `${count(lookedAt, 'foreign key')} with the joined rows of the source`;
  return outcome === 'fails'
    ? 'references point to other rows than in the source: rows have changed since the copy, in the source or the target'
    : 'joined rows cannot be compared: the number of rows in the source has changed since the copy';
}

function recomputedText({
  outcome,
  columns,
  differing,
  isByRowLocation,
  reason,
}: CheckOf<'recomputed_columns'>): string {
  const list = columns.join(', ');
  if (outcome === 'holds') return `${count(columns.length, 'column')} recomputed and equal (${list})`;
  if (reason !== undefined) return `${list} cannot be recomputed and compared: ${WHY_NOT[reason]}`;
  const what =
    differing.length === 0
      ? 'some values are in other rows than those to which the job writes them'
      : `${differing.join(', ')} ${differing.length === 1 ? 'differs' : 'differ'} from the values that the job computes from the source`;
  const rewritten = isByRowLocation
    ? '; without a primary key, values depend on the physical positions of rows, which VACUUM FULL changes'
    : '';
  return `${what}: rows have changed since the copy, in the source or the target${rewritten}`;
}

const WHY_NOT: Readonly<Record<NotRecomputed, string>> = {
  unknown_run:
    'the state folder has no record of a completed run into this target, or a later run had another target',
  changed_rules:
    'the job file, the masking key, a private model or the version of understudy has changed since the copy',
  source_moved: 'the number of rows in the source has changed since the copy',
  rows_differ: 'the target contains other rows than the copy wrote',
  no_temporary_tables: 'the role has no permission to create temporary tables on the target',
};

function maskedText({ outcome, column, differs, pairs, equal }: CheckOf<'masked_column'>): string {
  if (outcome === 'not_comparable')
    return `${column} cannot be compared row by row: no primary key of the table was preserved`;
  const share = `${formatNumber(equal)} of ${count(pairs, 'row')}`;
  if (outcome === 'fails')
    return `${column} has the source's value in ${share}, but its rule guarantees a different value`;
  if (equal === 0) return `${column} differs in ${count(pairs, 'row')}`;
  return differs ? column : `${column} has the source's value in ${share}, which its rule permits`;
}
