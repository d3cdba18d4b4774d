import { jobLabel } from '../session/job-attempt.js';
import { quoteTable } from '@understudy/postgres';

/**
 * Returns the name of the job's staging schema on the target. It contains the ledger, and staged rows until
 * the switch. The name has no dot.
 */
export function stagingSchema(jobId: string): string {
  return `understudy_${jobLabel(jobId)}`;
}

/** Returns the name of the hidden schema for objects that the switch moves to the n-th real schema. */
export function hiddenSchema(jobId: string, n: number): string {
  return `${stagingSchema(jobId)}.${n}`;
}

/**
 * Returns the name of a schema into which existing tables of the n-th real schema are moved while replacement
 * tables are created under their names.
 */
export function asideSchema(jobId: string, n: number): string {
  return `${stagingSchema(jobId)}.aside_${n}`;
}

/** Returns the quoted name of a table in the job's staging schema. */
export function stagingTable(jobId: string, table: string): string {
  return quoteTable({ schema: stagingSchema(jobId), table });
}
