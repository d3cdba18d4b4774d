import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Command } from 'commander';

import { manualOf } from './manual.js';
import { program } from './program.js';

const folder = mkdtempSync(join(tmpdir(), 'understudy-agent-commands-'));
const noVariables = join(folder, 'agent.env');
writeFileSync(noVariables, '');
afterAll(() => rmSync(folder, { recursive: true }));

const NAMES = ['', ...program().commands.map((command) => command.name())];

function commandNamed(root: Command, name: string): Command {
  return root.commands.find((command) => command.name() === name) ?? root;
}

/** Parses an example as the program would, without running its command. */
function parse(example: string): void {
  const root = program();
  for (const command of root.commands)
    command.action(() => undefined).configureOutput({ writeErr: () => undefined });
  const words = example
    .replace(/ [>|].*$/, '')
    .replace(/(--config) \S+/, `$1 ${noVariables}`)
    .split(' ');
  expect(words[0]).toBe('understudy-agent');
  root.parse(words.slice(1), { from: 'user' });
}

describe.each(NAMES)('understudy-agent %s', (name) => {
  const command = commandNamed(program(), name);
  const manual = manualOf(command);

  it('describes itself in a sentence, and each of its arguments and options', () => {
    expect(command.description()).toMatch(/^[A-Z].*\.$/s);
    for (const { description } of command.registeredArguments) expect(description).toMatch(/^\S/);
    for (const { flags, description } of command.options)
      expect({ flags, description }).toEqual({ flags, description: expect.stringMatching(/^\S.*[^.]$/s) });
    if (!['', 'start'].includes(name)) expect(command.options.map(({ long }) => long)).toContain('--json');
  });

  it('has examples that it accepts', () => {
    expect(manual?.examples).not.toHaveLength(0);
    for (const { purpose, run } of manual?.examples ?? []) {
      expect(purpose).toMatch(/^\S.*[^.:]$/);
      expect(() => parse(run)).not.toThrow();
    }
  });

  it('prints help with its options, examples and exit codes', () => {
    let out = '';
    command
      .configureOutput({ writeOut: (text) => (out += text) })
      .configureHelp({ helpWidth: 200 })
      .outputHelp();
    for (const { long } of command.options) expect(out).toContain(long);
    for (const { run } of manual?.examples ?? []) expect(out).toContain(`$ ${run}`);
    for (const code of Object.keys(manual?.exitCodes ?? {}))
      expect(out).toMatch(new RegExp(`^ +${code}  `, 'm'));
    expect(out).toMatch(/Exit codes:\n[^]*\n +64 {2}/);
  });
});
