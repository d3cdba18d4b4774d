import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');

describe('the end of a worker of Jest', () => {
  const folder = mkdtempSync(join(tmpdir(), 'understudy-open-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs two suites in two workers. The first one has this test. @returns what Jest wrote to stderr */
  function run(body: string): string {
    writeFileSync(join(folder, 'one.spec.js'), `it('is one', () => {${body}});`);
    writeFileSync(join(folder, 'two.spec.js'), "it('is two', () => {});");
    const config = {
      rootDir: folder,
      cache: false, // with the durations of an earlier run, Jest would run short suites without workers
      testEnvironment: join(ROOT, 'tools/repository/jest/one-realm-environment.cjs'),
      runtime: join(ROOT, 'tools/repository/jest/shared-modules-runtime.cjs'),
      testEnvironmentOptions: { customExportConditions: ['node'] },
      transform: {},
    };
    const args = [
      join(ROOT, 'node_modules/jest/bin/jest.js'),
      '--maxWorkers=2',
      '--config',
      JSON.stringify(config),
    ];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, expect.stringContaining('Tests:       2 passed')]);
    return stderr;
  }

  it('names a timer and a server that a suite left open', () => {
    const left = run(
      "setInterval(() => {}, 1_000); require('node:net').createServer().listen(0, '127.0.0.1')",
    );
    expect(left).toContain('a suite left open: TCPServerWrap, Timeout');
  });

  it('names the pipes of a program that a suite left running', () => {
    const start = "const child = require('node:child_process').spawn('sleep', ['3'])";
    expect(run(`${start}; child.unref(); child.stdout.on('data', () => {})`)).toContain(
      'a suite left open: PipeWrap',
    );
  });

  it('names nothing if no suite left anything open', () => {
    expect(run('setInterval(() => {}, 1_000).unref()')).not.toContain('left open');
  });
});
