import type { Argument, Command, Option } from 'commander';

/** What a shell has to know of a command to complete it. */
export interface CommandNode {
  readonly name: string;
  readonly description: string;
  readonly options: readonly OptionNode[];
  readonly arguments: readonly Value[];
  readonly commands: readonly CommandNode[];
}

export interface OptionNode {
  /** `--format`; with `-h` before it where it has a short form. */
  readonly flags: readonly string[];
  readonly description: string;
  /** Absent where it takes none. */
  readonly value?: Value;
}

export interface Value {
  /** `file`, `n`. */
  readonly name: string;
  /** Empty where anything goes: names of files are proposed then. */
  readonly choices: readonly string[];
}

/** Of all commands as they are defined: what is added later is completed without another line. */
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
