import { join } from 'node:path';

import { findNewestGo } from '@understudy/testing';

import { GO_ENVIRONMENT, ROOT } from '../support/languages.js';
import { defineNativeTests, linesOf, runProgram, type NativeOutcome } from '../support/native-tests.js';

const settings = { folder: join(ROOT, 'clients/go'), env: GO_ENVIRONMENT };

/** One line of `go test -json`. */
interface GoEvent {
  readonly Action: string;
  readonly Package: string;
  /** `TestX`, or `TestX/case` for a part of a test. */
  readonly Test?: string;
  readonly Output?: string;
}

const STATUSES: Readonly<Record<string, NativeOutcome['status']>> = {
  pass: 'passed',
  fail: 'failed',
  skip: 'skipped',
};

/** Returns the outcomes of the tests. A skipped part of a test counts as a skipped test. */
function outcomesOf(stdout: string, stderr: string): NativeOutcome[] {
  const events = stdout
    .split('\n')
    .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as GoEvent] : []));
  const outcomes = new Map<string, { status: NativeOutcome['status']; message: string }>();
  for (const { Action, Test, Output } of events) {
    const name = Test?.split('/')[0];
    if (name === undefined) continue;
    const outcome = outcomes.get(name) ?? { status: 'passed', message: stderr };
    outcome.message += Output ?? '';
    const status = STATUSES[Action] ?? 'passed';
    if (status !== 'passed') outcome.status = status;
    outcomes.set(name, outcome);
  }
  return [...outcomes].map(([name, outcome]) => ({ name, ...outcome }));
}

const newestGo = findNewestGo();
if (newestGo === undefined)
  process.stderr.write('clients/go/iterators.go is only parsed: expected Go 1.23 or newer, found none\n');

defineNativeTests({
  ...settings,
  title: 'the tests of the client for Go',
  toolchain: 'go',
  list: () =>
    linesOf(['go', 'test', '-list', '.', './...'], settings).filter((line) =>
      /^(Test|Example|Fuzz)/.test(line),
    ),
  run: async () => {
    const { stdout, stderr } = await runProgram(['go', 'test', '-count=1', '-json', './...'], settings);
    return outcomesOf(stdout, stderr);
  },
  programs: [
    // gofmt also parses files for other versions of Go.
    { title: 'gofmt', command: ['gofmt', '-l', '.'], silent: true },
    { title: 'go vet', command: ['go', 'vet', './...'] },
    ...(newestGo === undefined
      ? []
      : [
          { title: 'go vet of Go 1.23 or newer', command: [newestGo, 'vet', './...'] as const },
          { title: 'the tests with Go 1.23 or newer', command: [newestGo, 'test', './...'] as const },
        ]),
  ],
});
