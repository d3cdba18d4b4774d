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

/** Names from the root on: `[]`, `['generate']`, … */
function paths(command: Command, before: readonly string[] = []): (readonly string[])[] {
  return [before, ...command.commands.flatMap((inner) => paths(inner, [...before, inner.name()]))];
}

function commandAt(root: Command, path: readonly string[]): Command {
  return path.reduce(
    (command, name) => command.commands.find((inner) => inner.name() === name) as Command,
    root,
  );
}

/** Reads a line as the command would, and runs nothing. */
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

  it('says in a sentence what it does, and what each argument and option is', () => {
    expect(command.description()).toMatch(/^[A-Z].*\.$/s);
    for (const { description } of command.registeredArguments) expect(description).toMatch(/^\S/);
    for (const { description, flags } of command.options) {
      expect({ flags, description }).toEqual({ flags, description: expect.stringMatching(/^\S.*[^.]$/s) });
      expect(flags).toMatch(/^(-\w, )?--[a-z]/);
    }
  });

  it('has examples, and each is a line that it takes', () => {
    const examples = manualOf(command)?.examples ?? [];
    expect(examples).not.toHaveLength(0);
    for (const { says, run } of examples) {
      expect(says).toMatch(/^\S.*[^.:]$/);
      const calls = callsIn(run);
      expect([run, calls.length > 0]).toEqual([run, true]);
      for (const call of calls) {
        expect(call.slice(0, path.length)).toEqual(path);
        expect(() => parse(call)).not.toThrow();
      }
    }
  });

  it('prints help with its options, examples and exit codes, and no colours where there is no terminal', () => {
    let out = '';
    const own = commandAt(program(), path).configureOutput({ writeOut: (text) => (out += text) });
    own.outputHelp();
    for (const { long } of own.options) expect(out).toContain(long);
    for (const { run } of manualOf(own)?.examples ?? []) expect(out).toContain(`$ ${run}`);
    expect(out).toContain('Exit codes:');
    // eslint-disable-next-line no-control-regex -- colours begin with it
    expect(out).not.toMatch(/\x1b/);
  });

  it('says which option may have been meant', () => {
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

  it('says which command may have been meant', async () => {
    const { code, err } = await bench.run(['generat']);
    expect([code, err.split('\n').slice(0, 2)]).toEqual([
      2,
      ["understudy: unknown command 'generat'", '(Did you mean generate?)'],
    ]);
  });

  it('tells what there is, on stderr and with 2, where no command is named', async () => {
    const { code, out, err } = await bench.run([]);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(/^Usage: understudy/);
  });

  it('colours on request, and NO_COLOR goes before', async () => {
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
