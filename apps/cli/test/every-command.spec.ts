import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Command } from 'commander';

import { VERSION, program } from '../src/program.js';
import { manualOf } from '../src/manual/manual.js';
import { callsIn } from './command-line.js';
import { Workbench } from './run-cli.js';

const bench = new Workbench();
afterAll(() => bench.remove());

/** Returns the names that lead from the root to each command: `[]`, `['generate']`, … */
function paths(command: Command, before: readonly string[] = []): (readonly string[])[] {
  return [before, ...command.commands.flatMap((inner) => paths(inner, [...before, inner.name()]))];
}

function commandAt(root: Command, path: readonly string[]): Command {
  return path.reduce(
    (command, name) => command.commands.find((inner) => inner.name() === name) as Command,
    root,
  );
}

/** Parses arguments as the command would, without running the command. */
function parse(args: readonly string[]): void {
  const root = program();
  for (const path of paths(root)) {
    const command = commandAt(root, path);
    if (command.commands.length === 0) command.action(() => undefined);
    command.configureOutput({ writeErr: () => undefined, writeOut: () => undefined });
  }
  root.parse(args, { from: 'user' });
}

const ALL = paths(program()).map((path) => ({ path, name: ['understudy', ...path].join(' ') }));

describe.each(ALL)('$name', ({ path }) => {
  const command = commandAt(program(), path);

  it('describes itself in a sentence, and each of its arguments and options', () => {
    expect(command.description()).toMatch(/^[A-Z].*\.$/s);
    for (const { description } of command.registeredArguments) expect(description).toMatch(/^\S/);
    for (const { description, flags } of command.options) {
      expect({ flags, description }).toEqual({ flags, description: expect.stringMatching(/^\S.*[^.]$/s) });
      expect(flags).toMatch(/^(-\w, )?--[a-z]/);
    }
  });

  it('has examples that it accepts', () => {
    const examples = manualOf(command)?.examples ?? [];
    expect(examples).not.toHaveLength(0);
    for (const { purpose, run } of examples) {
      expect(purpose).toMatch(/^\S.*[^.:]$/);
      const calls = callsIn(run);
      expect([run, calls.length > 0]).toEqual([run, true]);
      for (const call of calls) {
        expect(call.slice(0, path.length)).toEqual(path);
        expect(() => parse(call)).not.toThrow();
      }
    }
  });

  it('prints help with options, examples and exit codes, without colours if stdout is not a terminal', () => {
    let out = '';
    const own = commandAt(program(), path).configureOutput({ writeOut: (text) => (out += text) });
    own.outputHelp();
    for (const { long } of own.options) expect(out).toContain(long);
    for (const { run } of manualOf(own)?.examples ?? []) expect(out).toContain(`$ ${run}`);
    expect(out).toContain('Exit codes:');
    // oxlint-disable-next-line no-control-regex -- colours begin with the escape character
    expect(out).not.toMatch(/\x1b/);
  });

  it('suggests an option with a similar name', () => {
    const words = command.registeredArguments.map(() => 'x');
    const required = command.options
      .filter(({ mandatory }) => mandatory)
      .flatMap(({ long }) => [long ?? '', '1']);
    expect(() => parse([...path, ...words, ...required, '--halp'])).toThrow(
      "error: unknown option '--halp'\n(Did you mean --help?)",
    );
  });
});

describe('understudy', () => {
  it('prints the version of its package', async () => {
    const manifest: unknown = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'));
    expect(manifest).toMatchObject({ version: VERSION });
    expect(await bench.run(['--version'])).toEqual({ code: 0, out: `${VERSION}\n`, err: '' });
  });

  it('suggests a command with a similar name', async () => {
    const { code, err } = await bench.run(['generat']);
    expect([code, err.split('\n').slice(0, 2)]).toEqual([
      2,
      ["understudy: unknown command 'generat'", '(Did you mean generate?)'],
    ]);
  });

  it('prints its usage on stderr and exits with 2 if no command is named', async () => {
    const { code, out, err } = await bench.run([]);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(/^Usage: understudy/);
  });

  it('prints colours with FORCE_COLOR, unless NO_COLOR is set', async () => {
    const colours = (environment: Record<string, string>) =>
      bench.run(['--help'], '', environment).then(({ out }) => out.includes('\x1b['));
    expect(
      await Promise.all([colours({ FORCE_COLOR: '1' }), colours({ FORCE_COLOR: '1', NO_COLOR: '1' })]),
    ).toEqual([true, false]);
  });

  it("runs from a clone with npm, reads paths from the caller's folder and prints only data on stdout", () => {
    const root = join(import.meta.dirname, '../../..');
    const schema = { generators: { n: { type: 'svc', algorithm: 'int_between' } }, output: ['n'] };
    mkdirSync(join(bench.folder, 'mine'));
    bench.write('mine/schema.json', JSON.stringify(schema));
    const options = ['generate', 'schema.json', '--count', '3', '--seed', '1', '--format', 'json'];
    const stdout = execFileSync(
      'npm',
      ['--prefix', root, 'run', '--silent', 'understudy', '--', ...options],
      {
        cwd: join(bench.folder, 'mine'),
        encoding: 'utf8',
      },
    );
    expect(JSON.parse(stdout)).toHaveLength(3);
  });
});
