import type { ValueTransformer } from 'typeorm';

/** bigint columns that hold at most 2^53 − 1 (a check of the table says so) as numbers. */
export const safeInteger: ValueTransformer = {
  to: (value: number | undefined) => value,
  from: (text: string | null) => (text === null ? null : Number(text)),
};
