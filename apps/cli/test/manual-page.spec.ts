import type { Command } from 'commander';

import { manualOf } from '../src/manual/manual.js';
import { manualPage } from '../src/manual/manual-page.js';
import { program } from '../src/program.js';

const page = manualPage(program());

function all(command: Command): Command[] {
  return [command, ...command.commands.flatMap(all)];
}

describe('manualPage', () => {
  it.each(all(program()).map((command) => [command.name(), command] as const))(
    'contains the description, options and examples of %s',
    (name, command) => {
      if (name !== 'understudy') expect(page).toContain(`\n## understudy ${name}\n`);
      expect(page).toContain(command.description());
      for (const { flags } of command.options) expect(page).toContain(`| \`${flags}\` |`);
      for (const { run } of manualOf(command)?.examples ?? []) {
        if (name !== 'understudy') expect(page).toContain(`\n${run}\n`);
      }
    },
  );

  it('returns the same text at every call, without anything that Markdown would read as a tag', () => {
    expect(manualPage(program())).toBe(page);
    const prose = page.replace(/```[\s\S]*?```|`[^`\n]*`|<!--.*-->/g, '');
    expect(prose).not.toMatch(/(?<!\\)<\w/);
  });
});
