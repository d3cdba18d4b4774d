import type { Argument, Command, Option } from 'commander';

/** The facts about a command that a shell needs for completion. */
export interface CommandNode {
  readonly name: string;
  readonly description: string;
  readonly options: readonly OptionNode[];
  readonly arguments: readonly Value[];
  readonly commands: readonly CommandNode[];
}

export interface OptionNode {
  /** The short flag, if there is one, and then the long flag, such as `--format`. */
  readonly flags: readonly string[];
  readonly description: string;
  /** Absent if the option takes no value. */
  readonly value?: Value;
}

export interface Value {
  /** The placeholder in the help text, such as `file` or `n`. */
  readonly name: string;
  /** The permitted values. Empty if any value is permitted: shells then propose file names. */
  readonly choices: readonly string[];
}

/** Returns a command and its subcommands as a tree. New commands and options appear without a change here. */
export function commandTree(command: Command): CommandNode {
  const help = command.createHelp();
  return {
    name: command.name(),
    description: command.description(),
    options: help.visibleOptions(command).map(optionNode),
    arguments: command.registeredArguments.map(argumentValue),
    commands: command.commands.map(commandTree),
  };
}

function optionNode({ short, long, description, flags, required, optional, argChoices }: Option): OptionNode {
  const name = /[<[]([^>\]]*)[>\]]/.exec(flags)?.[1] ?? 'value';
  return {
    flags: [short, long].filter((flag) => typeof flag === 'string'),
    description,
    ...((required || optional) && { value: { name, choices: argChoices ?? [] } }),
  };
}

function argumentValue(argument: Argument): Value {
  return { name: argument.name(), choices: argument.argChoices ?? [] };
}
