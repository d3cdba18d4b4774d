import { jobLabel } from '../session/job-attempt.js';
import { quoteTable } from '@understudy/postgres';

/**
 * Returns the name of the job's staging schema on the target. The schema contains the ledger and, until the switch,
 * staged rows. Its name contains no dot, unlike the names of hidden schemas.
 */
export function stagingSchema(jobId: string): string {
  return `understudy_${jobLabel(jobId)}`;
}

/** Returns the name of the hidden schema for the objects that the switch moves to the job's n-th real schema. */
export function hiddenSchema(jobId: string, n: number): string {
  return `${stagingSchema(jobId)}.${n}`;
}

/**
 * Returns the name of the schema to which existing tables of the n-th real schema are moved, while the job creates
 * replacement tables under the names of these tables.
 */
export function asideSchema(jobId: string, n: number): string {
  return `${stagingSchema(jobId)}.aside_${n}`;
}

/** Returns the quoted name of a table in the job's staging schema. */
export function stagingTable(jobId: string, table: string): string {
  return quoteTable({ schema: stagingSchema(jobId), table });
}
