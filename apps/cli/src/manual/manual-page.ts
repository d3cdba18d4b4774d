import type { Command } from 'commander';

import { EXIT_LINES, type Manual, manualOf } from './manual.js';

/** docs/cli.md: all commands as they are defined, from the same manuals as their help. */
export function manualPage(root: Command): string {
  return [
    `# The command line`,
    `<!-- Written by npm run generate from the commands of apps/cli; change them, not this page. -->`,
    root.description(),
    `In a clone, write \`npm run --silent ${root.name()} --\` instead of \`${root.name()}\`. It installs and builds what is missing, reads relative paths from your current folder, and with \`--silent\` prints only data on stdout. Every command prints its section of this page with \`--help\`.`,
    ...(manualOf(root)?.notes ?? []).map(escaped),
    ...listOf(root.commands),
    '## All commands',
    'What a program reads comes on stdout, all else on stderr. Colours and progress are for terminals alone; `NO_COLOR` and `FORCE_COLOR` decide about colours elsewhere. Where `--json` is an option, a program finds there what the text says. A reader that goes away (`| head`) is no error.',
    table(
      ['exit code', 'meaning'],
      EXIT_LINES.map(([code, meaning]) => [String(code), meaning]),
    ),
    optionsOf(root),
    ...leavesOf(root).flatMap(({ name, command }) => section(name, command)),
    '',
  ].join('\n\n');
}

interface Leaf {
  /** `understudy generate`. */
  readonly name: string;
  readonly command: Command;
}

function leavesOf(command: Command, before = command.name()): Leaf[] {
  return command.commands.flatMap((inner) => {
    const name = `${before} ${inner.name()}`;
    return [{ name, command: inner }, ...leavesOf(inner, name)];
  });
}

function listOf(commands: readonly Command[]): string[] {
  return [
    table(
      ['command', ''],
      commands.map((command) => [link(command), command.description()]),
    ),
  ];
}

function link(command: Command): string {
  return `[${command.name()}](#understudy-${command.name()})`;
}

function section(name: string, command: Command): string[] {
  const { notes = [], listing, examples }: Manual = manualOf(command) ?? { examples: [] };
  const help = command.createHelp();
  const synopsis = help.visibleArguments(command).map((argument) => help.argumentTerm(argument));
  return [
    `## ${name}`,
    command.description(),
    block('', [name, ...synopsis.map((term) => `<${term}>`), '[options]'].join(' ')),
    optionsOf(command),
    ...notes.map(escaped),
    ...(listing ? [`\`${listing.file}\`:`, block('json', listing.text)] : []),
    'Examples:',
    block('', examples.map(({ says, run }) => `# ${says}\n${run}`).join('\n\n')),
  ];
}

function optionsOf(command: Command): string {
  const help = command.createHelp();
  const rows = [
    ...help
      .visibleArguments(command)
      .map((argument) => [help.argumentTerm(argument), help.argumentDescription(argument)]),
    ...help
      .visibleOptions(command)
      .map((option) => [help.optionTerm(option), help.optionDescription(option)]),
  ];
  return table(
    ['', ''],
    rows.map(([term = '', description = '']) => [`\`${term}\``, escaped(description)]),
  );
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Text as it stands: what Markdown would read as markup is none. */
function escaped(text: string): string {
  return text.replace(/[*_<>`[\]\\]/g, '\\$&');
}

function block(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}
