import { jobLabel } from '../session/job-attempt.js';
import { quoteTable } from '@understudy/postgres';

/** The schema of the target that holds what the job knows and has not shown yet. */
export function stagingSchema(jobId: string): string {
  return `understudy_${jobLabel(jobId)}`;
}

/** What is to go to the n-th real schema. No job's staging schema has a dot in its name. */
export function shadowSchema(jobId: string, n: number): string {
  return `${stagingSchema(jobId)}.${n}`;
}

/** Where tables of the n-th real schema stand for a moment, while others are made under their names. */
export function asideSchema(jobId: string, n: number): string {
  return `${stagingSchema(jobId)}.aside_${n}`;
}

/** Quoted name of a table in the job's staging schema. */
export function stagingTable(jobId: string, table: string): string {
  return quoteTable({ schema: stagingSchema(jobId), table });
}
