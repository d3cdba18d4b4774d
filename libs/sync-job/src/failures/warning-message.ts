import type { Names } from './names.js';
import { capital, SYNC_JOB_WORDING } from './wording.js';

/** A remark in words. */
export interface Warning {
  readonly code: string;
  readonly message: string;
}

/** What the engine remarked about a job that completed. */
export function warningOf(
  warning: { readonly code: string; readonly tableIndex?: number; readonly columnIndex?: number },
  names: Names,
  { worker } = SYNC_JOB_WORDING,
): Warning {
  const table = names.table(warning.tableIndex);
  const column = names.column(warning.tableIndex, warning.columnIndex);
  const place = table === undefined ? '' : ` of table ${JSON.stringify(table)}`;
  const named = column === undefined ? '' : ` ${JSON.stringify(column)}`;
  if (warning.code === 'foreign_key_skipped') {
    return {
      code: warning.code,
      message: `A foreign key${place} was not created: the table it points to is neither in the job nor on the target.`,
    };
  }
  if (warning.code === 'value_truncated') {
    return {
      code: warning.code,
      message: `Values of column${named}${place} were cut to the column's length.`,
    };
  }
  if (warning.code === 'unique_scarce') {
    return {
      code: warning.code,
      message: `The rule for column${named}${place} has hardly more values than the column has rows, of which none may repeat: with some more rows it will run out.`,
    };
  }
  if (warning.code === 'restarted_from_zero') {
    return {
      code: warning.code,
      message:
        'The job began anew after an interruption: the rows it had copied were of no use any more, because the snapshot of the source had ended or what went on had another masking key, other models or rules, or another version.',
    };
  }
  if (warning.code === 'waited_for_job') {
    return { code: warning.code, message: 'The job waited for another one that worked on the same target.' };
  }
  if (warning.code === 'waited_for_lock') {
    return {
      code: warning.code,
      message:
        'Other sessions used tables of the target that the job needed to itself: it stood back and tried again until they had ended.',
    };
  }
  if (warning.code === 'definition_copied') {
    return {
      code: warning.code,
      message: `The definition${place} will be copied from the source as it is: defaults, CHECK literals, enum labels, comments, partition bounds and index predicates are not masked. Create the table on the target first if one of them holds personal data.`,
    };
  }
  if (warning.code === 'large_objects_skipped') {
    return {
      code: warning.code,
      message: largeObjects(
        table === undefined ? undefined : `${column === undefined ? 'a column' : `column${named}`}${place}`,
      ),
    };
  }
  return {
    code: 'other',
    message: `${capital(worker)} remarked something${place} that this version cannot name.`,
  };
}

/** @param place a column that may name some, when there is one */
function largeObjects(place: string | undefined): string {
  const start = 'The source has large objects (pg_largeobject), which are not copied.';
  return place === undefined
    ? `${start} No preserved column is of type oid; what names them as a number or a text names nothing on the target.`
    : `${start} What ${place} names is not on the target, unless it was there before.`;
}
