import { partFilter, withFolder, withStack } from '../bench-environment.js';
import { type CellSpeed, cellSpeeds } from './cells.js';
import { compileTime, type CompileTimeResult } from './compile-time.js';
import { intoPostgres, type IntoPostgresResult } from './into-postgres.js';
import { overHttp, type OverHttpResult } from './http/over-http.js';
import { scaling, type ScalingResult } from './scaling.js';
import { sideBySide, type SideBySideResult } from './side-by-side.js';

export const GENERATE_PARTS = ['peer', 'cells', 'threads', 'compile', 'http', 'postgres'] as const;

type GeneratePart = (typeof GENERATE_PARTS)[number];

/** Results by part. Parts that were not run are absent. */
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
  readonly rounds: number;
  /** Number of rows for the part `postgres`. */
  readonly rows: number;
  /** Part to run. Default: every part. */
  readonly only?: GeneratePart;
}

/**
 * Runs the parts one after the other. The comparison with faker comes first, while this process has run
 * nothing else.
 */
export async function benchGenerate({
  rounds,
  rows,
  only,
}: GenerateBenchOptions): Promise<GenerateBenchResult> {
  const wanted = partFilter(only);
  return {
    rounds,
    ...(wanted('peer') && { peer: sideBySide(rounds) }),
    ...(wanted('cells') && { cells: cellSpeeds(rounds) }),
    ...(wanted('threads') && { threads: await scaling(rounds) }),
    ...(wanted('compile') && { compile: await compileTime(rounds) }),
    ...(wanted('http') && { http: await withStack((stack) => overHttp(stack, rounds)) }),
    ...(wanted('postgres') && {
      postgres: await withFolder('bench-generate', (folder) =>
        withStack((stack) => intoPostgres(stack, folder, rows, rounds)),
      ),
    }),
  };
}
