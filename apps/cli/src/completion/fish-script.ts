import type { CommandNode, OptionNode } from './command-tree.js';

/**
 * Returns the completion script for fish, with a `complete` line for each word (see "Writing your own
 * completions" in fish's manual). Supports commands one level deep.
 */
export function fishScript(root: CommandNode): string {
  const first = `__fish_use_subcommand`;
  return [
    `# fish completion for ${root.name}; written by "${root.name} completion fish".`,
    `complete -c ${root.name} -f -n ${first}`,
    ...root.commands.map(
      ({ name, description }) =>
        `complete -c ${root.name} -n ${first} -a ${quoted(name)} -d ${quoted(description)}`,
    ),
    ...root.options.map((option) => `complete -c ${root.name} -n ${first} ${optionWords(option)}`),
    ...root.commands.flatMap((command) => linesOf(root.name, command)),
    '',
  ].join('\n');
}

function linesOf(program: string, { name, options, arguments: values }: CommandNode): string[] {
  const lead = `complete -c ${program} -n ${quoted(`__fish_seen_subcommand_from ${name}`)}`;
  const choices = values.flatMap((value) => value.choices);
  return [
    ...(choices.length > 0 ? [`${lead} -f -a ${quoted(choices.join(' '))}`] : []),
    ...options.map((option) => `${lead} ${optionWords(option)}`),
  ];
}

function optionWords({ flags, description, value }: OptionNode): string {
  const names = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  const takes =
    value === undefined
      ? []
      : value.choices.length > 0
        ? [`-x -a ${quoted(value.choices.join(' '))}`]
        : ['-r -F'];
  return [...names, ...takes, `-d ${quoted(description)}`].join(' ');
}

function quoted(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&')}'`;
}
