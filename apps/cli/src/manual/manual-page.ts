import type { Command } from 'commander';

import { EXIT_LINES, type Manual, manualOf } from './manual.js';

/** Returns the text of docs/reference/cli.md, generated from the commands and the manuals that `--help` also prints. */
export function manualPage(root: Command): string {
  return [
    `# The command line`,
    `<!-- Written by npm run generate from the commands of apps/cli; change them, not this page. -->`,
    root.description(),
    `In a clone, write \`npm run --silent ${root.name()} --\` instead of \`${root.name()}\`. This command installs and builds what is missing, and reads relative paths from your current folder. With \`--silent\`, npm prints nothing on stdout.`,
    ...(manualOf(root)?.notes ?? []).map(escaped),
    table(
      ['command', ''],
      root.commands.map((command) => [link(command), command.description()]),
    ),
    '## All commands',
    'Commands print results on stdout, and progress, warnings and errors on stderr. Colours and progress appear only on a terminal. Set `NO_COLOR` to turn colours off, or `FORCE_COLOR` to turn them on. With `--json`, a command prints the same facts as JSON. A reader that closes the output early, as in `| head`, causes no error.',
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
  /** The full name, such as `understudy generate`. */
  readonly name: string;
  readonly command: Command;
}

function leavesOf(command: Command, before = command.name()): Leaf[] {
  return command.commands.flatMap((inner) => {
    const name = `${before} ${inner.name()}`;
    return [{ name, command: inner }, ...leavesOf(inner, name)];
  });
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
    block('', examples.map(({ purpose, run }) => `# ${purpose}\n${run}`).join('\n\n')),
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

/** Escapes the characters that Markdown would read as markup. */
function escaped(text: string): string {
  return text.replace(/[*_<>`[\]\\]/g, '\\$&');
}

function block(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}
