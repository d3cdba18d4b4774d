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

/** The names of all commands, such as `service install`. The name of the program itself is empty. */
const NAMES = namesIn(program(), '');

function namesIn(command: Command, name: string): string[] {
  return [name, ...command.commands.flatMap((child) => namesIn(child, `${name} ${child.name()}`.trim()))];
}

function commandNamed(root: Command, name: string): Command {
  const [first, ...rest] = name.split(' ');
  const child = root.commands.find((command) => command.name() === first);
  return child === undefined ? root : commandNamed(child, rest.join(' '));
}

/** Replaces the actions of all commands, so that parsing runs none of them. */
function disarm(command: Command): void {
  for (const child of command.commands) disarm(child);
  if (command.commands.length === 0) command.action(() => undefined);
  command.configureOutput({ writeErr: () => undefined });
}

/** Parses an example as the program would, without running its command. */
function parse(example: string): void {
  const root = program();
  disarm(root);
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
    if (command.commands.length === 0 && name !== 'start')
      expect(command.options.map(({ long }) => long)).toContain('--json');
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
