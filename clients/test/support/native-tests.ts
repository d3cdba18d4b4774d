import { execFileSync, spawn } from 'node:child_process';

import { describeWith, reasonToSkip } from '@understudy/testing';

import type { Toolchain } from '@understudy/testing';

/** The result of a test in the language of a client. */
export interface NativeOutcome {
  readonly name: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  /** The message of a failure. */
  readonly message: string;
}

/** The tests that a client has in its own language, and further programs that must succeed. */
export interface NativeSuite {
  readonly title: string;
  readonly toolchain: Toolchain;
  /** Lists the names of all tests without running them. */
  list(): readonly string[];
  run(): Promise<readonly NativeOutcome[]>;
  /** Commands that must end with exit code 0 and print nothing to stdout if `silent` is set, by their titles. */
  readonly programs: readonly {
    readonly title: string;
    readonly command: readonly [string, ...string[]];
    readonly silent?: boolean;
  }[];
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Defines one test for each native test, and one for each program. */
export function defineNativeTests(suite: NativeSuite): void {
  const names = reasonToSkip(suite.toolchain) === undefined ? suite.list() : [];
  describeWith(suite.title, suite.toolchain, () => {
    let outcomes: ReadonlyMap<string, NativeOutcome>;
    beforeAll(async () => {
      outcomes = new Map((await suite.run()).map((outcome) => [outcome.name, outcome]));
    });

    it('run all tests that are listed, and no others', () => {
      expect([...outcomes.keys()].sort()).toEqual([...names].sort());
      expect(names.length).toBeGreaterThan(0);
    });

    it.each(names)('pass: %s', (name) => {
      const outcome = outcomes.get(name);
      if (outcome?.status !== 'passed')
        throw new Error(
          `expected a passed test, got "${outcome?.status ?? 'no result'}": ${outcome?.message ?? ''}`,
        );
    });

    it.each(suite.programs)('are accepted by $title', async ({ command, silent }) => {
      const { code, stdout, stderr } = await runProgram(command, suite);
      if (code !== 0 || (silent && stdout.trim() !== ''))
        throw new Error(`${command.join(' ')} ended with exit code ${String(code)}:\n${stdout}${stderr}`);
    });
  });
}

/** Runs a program to its end. The exit code is null if a signal ended it. */
export function runProgram(
  [program, ...args]: readonly [string, ...string[]],
  { folder, env }: Pick<NativeSuite, 'folder' | 'env'>,
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (data) => (stdout += String(data)));
  child.stderr.on('data', (data) => (stderr += String(data)));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

/** Returns the lines that a program prints, and waits for them: Jest needs the names of tests when it loads a file. */
export function linesOf(
  [program, ...args]: readonly [string, ...string[]],
  { folder, env }: Pick<NativeSuite, 'folder' | 'env'>,
): string[] {
  const options = {
    cwd: folder,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  } as const;
  return execFileSync(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    .split('\n')
    .map((line) => line.trim());
}

/** One `<testcase>` of a report in the format of JUnit. */
export interface JUnitCase {
  readonly attributes: Readonly<Record<string, string>>;
  readonly status: NativeOutcome['status'];
  readonly message: string;
}

/** Reads the test cases of a report in the format of JUnit, which pytest and phpunit write. */
export function readJUnit(xml: string): JUnitCase[] {
  const cases = xml.matchAll(/<testcase\b([^>]*?)(?:\/>|>([^]*?)<\/testcase>)/g);
  return [...cases].map(([, head = '', body = '']) => {
    const attributes = [...head.matchAll(/([\w-]+)="([^"]*)"/g)];
    return {
      attributes: Object.fromEntries(attributes.map(([, name = '', value = '']) => [name, unescaped(value)])),
      status: /<(failure|error|warning)\b/.test(body)
        ? 'failed'
        : /<skipped\b/.test(body)
          ? 'skipped'
          : 'passed',
      message: unescaped(body),
    };
  });
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

function unescaped(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name: string) => {
    if (hex !== undefined) return String.fromCodePoint(parseInt(String(hex), 16));
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
    return ENTITIES[name] ?? whole;
  });
}
