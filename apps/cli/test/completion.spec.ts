import { spawnSync } from 'node:child_process';

import type { Command } from 'commander';

import { bashScript } from '../src/completion/bash-script.js';
import { commandTree } from '../src/completion/command-tree.js';
import { program } from '../src/program.js';
import { Workbench } from './run-cli.js';

const bench = new Workbench();
afterAll(() => bench.remove());

/** Returns the words that bash proposes for each line. The last word of a line is the one being typed. */
function completed(...lines: readonly (readonly string[])[]): (readonly string[])[] {
  bench.write('understudy.bash', bashScript(commandTree(program())));
  const requests = lines.map(
    (words) =>
      `COMP_WORDS=(understudy ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _understudy; echo "\${COMPREPLY[*]}"`,
  );
  const script = ['source understudy.bash', ...requests].join('\n');
  const done = spawnSync('bash', ['--norc', '-uc', script], { cwd: bench.folder, encoding: 'utf8' });
  expect(done.stderr).toBe('');
  return done.stdout
    .split('\n')
    .slice(0, lines.length)
    .map((line) => line.split(' ').filter((word) => word !== ''));
}

function leaves(command: Command, before: readonly string[] = []): { path: string[]; command: Command }[] {
  return [
    { path: [...before], command },
    ...command.commands.flatMap((inner) => leaves(inner, [...before, inner.name()])),
  ];
}

describe('completion in bash', () => {
  it('proposes every command and every option of each command', () => {
    const all = leaves(program());
    const words = completed(
      ...all.map(({ path }) => [...path, '']),
      ...all.map(({ path }) => [...path, '--']),
    );
    all.forEach(({ command }, i) => {
      const inner = command.commands.map((one) => one.name());
      expect(words[i]).toEqual(expect.arrayContaining(inner));
      const options = words[all.length + i];
      expect(options).toEqual(expect.arrayContaining(command.options.map(({ long }) => long)));
    });
  });

  it('proposes words with the typed prefix and the choices of options, and leaves other values to file names', () => {
    expect(
      completed(
        ['gen'],
        ['generate', '--fo'],
        ['generate', 'x.json', '--format', 'c'],
        ['generate', '--format', '=', 'nd'],
        ['generate', '--format', '='],
        ['generate', ''],
        ['generate', '--out', ''],
        ['completion', ''],
        ['train', 'generate', '--cas'],
      ),
    ).toEqual([
      ['generate'],
      ['--format'],
      ['csv', 'copy'],
      ['ndjson'],
      ['json', 'csv', 'ndjson', 'sql', 'copy'],
      [],
      [],
      ['bash', 'zsh', 'fish'],
      ['--case'],
    ]);
  });
});

describe('understudy completion', () => {
  it.each(['bash', 'zsh', 'fish'])('writes a script with the syntax of %s', async (shell) => {
    const { code, out, err } = await bench.run(['completion', shell]);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('generate');
    bench.write(`script.${shell}`, out);
    const checked = spawnSync(shell, ['-n', `script.${shell}`], { cwd: bench.folder, encoding: 'utf8' });
    // Skips the check if this machine does not have the shell.
    if (checked.error === undefined) expect([checked.status, checked.stderr]).toEqual([0, '']);
  });

  it('lists the supported shells if the named one is not supported', async () => {
    expect(await bench.run(['completion', 'csh'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('bash, zsh, fish'),
    });
  });
});
