import { count, formatNumber } from '../../terminal/numbers.js';
import type { NotRead } from './init-result.js';

/** Describes a table or column that was not read, or not completely: what was read instead, and why. */
export function notReadText({ table, column, ...entry }: NotRead): string {
  return column === undefined ? `${table}: ${rowsText(entry)}` : `${table}.${column}: ${columnText(entry)}`;
}

export function rowsText({ sampled, read = 0, share, ...entry }: Omit<NotRead, 'table' | 'column'>): string {
  if (share !== undefined) return `read ${percentOf(share)} of its rows, from all parts of the table`;
  if (sampled === undefined) return `no row, so its columns are judged by their names; ${reasonText(entry)}`;
  return `read ${formatNumber(read)} of ${count(sampled, 'sampled row')}; ${reasonText(entry)}${hintText(entry)}`;
}

/** Returns a share as a percentage with two digits. */
function percentOf(share: number): string {
  return `${Number((share * 100).toPrecision(2))} %`;
}

/** Describes how much of a column was read, and why not all. */
export function columnText({
  sampled,
  read = 0,
  read_beginning,
  ...entry
}: Omit<NotRead, 'table' | 'column'>): string {
  if (sampled === undefined || sampled === 0) return reasonText(entry);
  const beginning = read_beginning === true ? ' and the beginning of another one' : '';
  return `read ${formatNumber(read)} of ${count(sampled, 'sampled value')}${beginning}; ${reasonText(entry)}${hintText(entry)}`;
}

function hintText({ reason }: Pick<NotRead, 'reason'>): string {
  return reason === 'timeout' ? '; --column-seconds allows more time' : '';
}

/** Explains why values were not read. */
export function reasonText({ reason, type = '' }: Pick<NotRead, 'reason' | 'type'>): string {
  return reason === 'type' ? `init does not read values of type ${type}` : REASONS[reason];
}

const REASONS: Readonly<Record<Exclude<NotRead['reason'], 'type'>, string>> = {
  timeout: 'reading took too long, or waited for a lock',
  size: 'the table is large',
  no_time: 'the time for all tables was over; run init for fewer tables, with --tables or --schema',
  permission: 'the role lacks a privilege, for example to run a function that a value or a policy calls',
  encoding: 'the server found bytes that are invalid in its encoding',
  recovery: 'a standby refused the statement: it has no unlogged tables, and recovery may cancel statements',
  locked: 'another session held a lock',
  too_large: 'the server lacked memory or disk space, or reached a limit',
  connection: 'the connection was lost',
  other: 'the server refused the statement; its log has the message',
};
