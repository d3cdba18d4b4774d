import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { describeGraph, importGraphsHold, readImportGraph } from '../src/source-layout/import-graph.js';
import { sourceFilesHold } from '../src/source-layout/source-files.js';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'understudy-layout-'));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function plant(file: string, text: string): void {
  mkdirSync(join(root, dirname(file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

describe('the import graph of a folder', () => {
  /** run.ts → copy → postgres: three modules on three levels. */
  beforeEach(() => {
    plant('src/index.ts', "export * from './run.js';\n");
    plant('src/run.ts', "import { copy } from './copy/copy.js';\nexport const run = copy;\n");
    plant('src/copy/copy.ts', "export { read as copy } from '../postgres/read/read.js';\n");
    plant('src/copy/plan.ts', "export type Plan = import('../postgres/quote.js').Quote;\n");
    plant('src/copy/copy.spec.ts', "import { run } from '../run.js';\nrun();\n");
    plant(
      'src/postgres/read/read.ts',
      "import type { Quote } from '../quote.js';\nexport type read = Quote;\n",
    );
    plant('src/postgres/quote.ts', "import { Client } from 'pg';\nexport type Quote = Client;\n");
  });

  it('has the levels and edges of modules, without the barrel, spec files and packages', () => {
    expect(readImportGraph(join(root, 'src'))).toEqual({
      levels: [['postgres'], ['copy'], ['run.ts']],
      edges: [
        { from: 'copy', to: 'postgres', imports: 2 },
        { from: 'run.ts', to: 'copy', imports: 1 },
      ],
      againstDirection: [],
    });
    expect(describeGraph('src', readImportGraph(join(root, 'src')))).toMatch(
      /^src: 3 modules, 3 levels, 2 edges, 0 edges in cycles\n/,
    );
  });

  it('lists exactly the edges of a cycle of three modules', () => {
    plant('src/postgres/late.ts', "export const late = async () => import('../end/end.js');\n");
    plant('src/end/end.ts', "import type { copy } from '../copy/copy.js';\nexport type End = typeof copy;\n");
    const graph = readImportGraph(join(root, 'src'));
    expect(graph.levels).toEqual([['copy', 'end', 'postgres'], ['run.ts']]);
    expect(graph.againstDirection.map(({ from, to }) => `${from} → ${to}`)).toEqual([
      'copy → postgres',
      'end → copy',
      'postgres → end',
    ]);
    expect(() => importGraphsHold(root, { src: { edgesInCycles: 2 } })).toThrow(
      /allowed: 2 edges in cycles\n[^]*edge in a cycle: postgres → end/,
    );
    expect(importGraphsHold(root, { src: { edgesInCycles: 3 } })).toContain('3 edges in cycles');
  });

  const limits = { modules: 3, levels: 3, edges: 2, edgesInCycles: 0 };

  it.each(['modules', 'levels', 'edges'] as const)('is refused if it has more %s than the limit', (what) => {
    const lower = { ...limits, [what]: limits[what] - 1 };
    expect(() => importGraphsHold(root, { src: lower })).toThrow(
      new RegExp(`^src: 3 modules, 3 levels, 2 edges, 0 edges in cycles; allowed: ${lower[what]} ${what}$`),
    );
  });

  it('is accepted if it is at the limits', () => {
    expect(importGraphsHold(root, { src: limits })).toContain('3 modules');
  });

  it('refuses a folder without TypeScript files', () => {
    mkdirSync(join(root, 'empty'));
    expect(() => readImportGraph(join(root, 'empty'))).toThrow('expected TypeScript files, found none');
  });
});

describe('the check of source files', () => {
  const lines = (count: number): string => 'export {};\n'.repeat(count);
  beforeEach(() => {
    plant('libs/x/src/long-enough.ts', lines(20));
  });

  it('lists a file of 19 lines', () => {
    plant('apps/y/src/deep/short.ts', lines(19));
    expect(() => sourceFilesHold(root, [])).toThrow(
      /^apps\/y\/src\/deep\/short\.ts: 19 lines; at least 20 are expected$/,
    );
  });

  it('accepts short files of a kind that may be short, generated files, barrels and spec files', () => {
    for (const file of [
      'libs/x/src/index.ts',
      'libs/x/src/long-enough.spec.ts',
      'libs/x/src/generated/job_pb.ts',
      'libs/x/dist/long-enough.ts',
      'libs/x/test/short.ts',
      'libs/generator/src/types/svc/mode.ts',
      'apps/y/src/jobs/lock-job.sql.ts',
      'apps/y/src/jobs/job.dto.ts',
      'apps/y/src/jobs/jobs.query.ts',
      'apps/y/src/jobs/job.entity.ts',
      'apps/y/src/jobs/jobs.module.ts',
      'apps/y/src/persistence/migrations/1-baseline.ts',
    ])
      plant(file, lines(1));
    expect(sourceFilesHold(root, [])).toBe('9 files, 0 exceptions');
  });

  it('lists a folder of 16 files, but does not count spec files', () => {
    for (let file = 1; file < 15; file++) plant(`libs/x/src/file-${file}.ts`, lines(20));
    plant('libs/x/src/long-enough.spec.ts', lines(20));
    expect(sourceFilesHold(root, [])).toBe('15 files, 0 exceptions');
    plant('libs/x/src/one.entity.ts', lines(1));
    expect(() => sourceFilesHold(root, [])).toThrow(/^libs\/x\/src: 16 files; at most 15 are expected$/);
  });

  it('accepts a folder with any number of files that may be short', () => {
    for (let file = 0; file < 16; file++) plant(`libs/x/src/sql/file-${file}.sql.ts`, lines(1));
    expect(sourceFilesHold(root, [])).toBe('17 files, 0 exceptions');
  });

  it('accepts an exception, and refuses an exception that is not needed', () => {
    plant('apps/y/src/cli.ts', lines(3));
    const exception = { path: 'apps/y/src/cli.ts', reason: 'starts the program' };
    expect(sourceFilesHold(root, [exception])).toBe('2 files, 1 exceptions');
    plant('apps/y/src/cli.ts', lines(20));
    expect(() => sourceFilesHold(root, [exception])).toThrow(
      'apps/y/src/cli.ts: the exception is not needed; remove it',
    );
  });

  it('refuses a tree without source files', () => {
    rmSync(join(root, 'libs'), { recursive: true });
    expect(() => sourceFilesHold(root, [])).toThrow('expected source files, found none');
  });
});
