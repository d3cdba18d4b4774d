import { createHash } from 'node:crypto';
import { quoteTable } from '@understudy/postgres';

export interface JobAttempt {
  readonly jobId: string;
  readonly epoch: number;
}

// A name has 63 bytes on the server, and more than ours goes into one.
const LONGEST_LABEL = 36;

/** Short name of a job inside names of the database: ids of jobs differ in more than case. */
export function jobLabel(jobId: string): string {
  const label = jobId.toLowerCase();
  if (/^[a-z0-9_]+$/.test(label) && label.length <= LONGEST_LABEL) return label;
  return createHash('sha256').update(jobId).digest('hex').slice(0, LONGEST_LABEL);
}

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

/** `application_name` of an attempt's sessions. */
export function sessionName({ jobId, epoch }: JobAttempt): string {
  return `${sessionPrefix(jobId)}${epoch}`;
}

export function sessionPrefix(jobId: string): string {
  return `understudy ${jobLabel(jobId)} `;
}

/** Quoted name of a table in the job's staging schema. */
export function stagingTable(jobId: string, table: string): string {
  return quoteTable({ schema: stagingSchema(jobId), table });
}
