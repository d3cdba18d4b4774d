import type { StackInfo } from '@understudy/stack';

import { type CellSpeed, cellSpeeds } from './cells.js';
import { compileTime, type CompileTimeResult } from './compile-time.js';
import { intoPostgres, type IntoPostgresResult } from './into-postgres.js';
import { overHttp, type OverHttpResult } from './http/over-http.js';
import { scaling, type ScalingResult } from './scaling.js';
import { sideBySide, type SideBySideResult } from './side-by-side.js';

export const GENERATE_PARTS = ['peer', 'cells', 'threads', 'compile', 'http', 'postgres'] as const;

export type GeneratePart = (typeof GENERATE_PARTS)[number];

/** Keys of the parts that were run. */
export interface GenerateBenchResult {
  readonly rounds: number;
  readonly peer?: SideBySideResult;
  readonly cells?: readonly CellSpeed[];
  readonly threads?: ScalingResult;
  readonly compile?: CompileTimeResult;
  readonly http?: OverHttpResult;
  readonly postgres?: IntoPostgresResult;
}

export interface GenerateBenchOptions {
  readonly parts: readonly GeneratePart[];
  readonly rounds: number;
  /** Of the part `postgres`. */
  readonly rows: number;
  /** Gives a running stack to `work`, for the parts `http` and `postgres`. */
  readonly withStack: <T>(work: (stack: StackInfo) => Promise<T>) => Promise<T>;
  readonly say: (text: string) => void;
}

/** Runs the parts one after the other: the peers first, while this process has run nothing else. */
export async function benchGenerate(options: GenerateBenchOptions): Promise<GenerateBenchResult> {
  const { parts, rounds, rows, withStack, say } = options;
  const wanted = (part: GeneratePart): boolean => {
    if (parts.includes(part)) say(`part: ${part}`);
    return parts.includes(part);
  };
  return {
    rounds,
    ...(wanted('peer') && { peer: sideBySide(rounds, say) }),
    ...(wanted('cells') && { cells: cellSpeeds(rounds) }),
    ...(wanted('threads') && { threads: await scaling(rounds, say) }),
    ...(wanted('compile') && { compile: await compileTime(rounds) }),
    ...(wanted('http') && { http: await withStack((stack) => overHttp(stack, rounds, say)) }),
    ...(wanted('postgres') && {
      postgres: await withStack((stack) => intoPostgres(stack, rows, rounds, say)),
    }),
  };
}
