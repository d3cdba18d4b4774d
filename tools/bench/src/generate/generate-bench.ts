import { runParts, withFolder, withStack } from '../bench-environment.js';
import { cellSpeeds } from './cells.js';
import { compileTime } from './compile-time.js';
import { intoPostgres } from './into-postgres.js';
import { overHttp } from './http/over-http.js';
import { scaling } from './scaling.js';
import { sideBySide } from './side-by-side.js';

interface Size {
  readonly rounds: number;
  /** Number of rows for the part `postgres`. */
  readonly rows: number;
}

/** The parts. The comparison with faker comes first, while this process has run nothing else. */
const PARTS = {
  peer: ({ rounds }: Size) => sideBySide(rounds),
  cells: ({ rounds }: Size) => cellSpeeds(rounds),
  threads: ({ rounds }: Size) => scaling(rounds),
  compile: ({ rounds }: Size) => compileTime(rounds),
  http: ({ rounds }: Size) => withStack((stack) => overHttp(stack, rounds)),
  postgres: ({ rounds, rows }: Size) =>
    withFolder('bench-generate', (folder) => withStack((stack) => intoPostgres(stack, folder, rows, rounds))),
};

export const GENERATE_PARTS = Object.keys(PARTS);
export type GenerateBenchResult = Awaited<ReturnType<typeof benchGenerate>>;

/** Runs the parts one after the other. @param size.only the part to run; by default, every part runs */
export async function benchGenerate(size: Size & { readonly only?: string }) {
  return { rounds: size.rounds, ...(await runParts(PARTS, size, size.only)) };
}
