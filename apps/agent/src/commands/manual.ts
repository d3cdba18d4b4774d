import type { Command } from 'commander';

/** The part of a command's help that follows its options. docs/reference/agent-commands.md contains the same text. */
export interface Manual {
  /** Paragraphs with the facts that an operator needs before the first run. */
  readonly notes?: readonly string[];
  readonly examples: readonly Example[];
  /** The meaning of each exit code that only this command has. */
  readonly exitCodes: Readonly<Record<number, string>>;
}

export interface Example {
  /** The purpose of the example, such as `check the environment before the first start`. */
  readonly purpose: string;
  readonly run: string;
}

/** The exit codes that all commands share. */
export const EXIT = { usage: 64, internal: 70, configuration: 78 } as const;

const SHARED_CODES: Readonly<Record<number, string>> = {
  [EXIT.usage]: 'unknown command, argument or option',
  [EXIT.internal]: 'internal error',
  [EXIT.configuration]: 'a variable is missing or invalid, or the file of --config cannot be read',
};

const manuals = new WeakMap<Command, Manual>();

/** Attaches a manual to a command and returns the command. A test checks that every command has a manual. */
export function withManual(command: Command, manual: Manual): Command {
  manuals.set(command, manual);
  return command.addHelpText('after', () => textOf(command, manual));
}

export function manualOf(command: Command): Manual | undefined {
  return manuals.get(command);
}

function textOf(command: Command, { notes = [], examples, exitCodes }: Manual): string {
  const help = command.createHelp();
  const width = Math.min(help.helpWidth ?? process.stdout.columns ?? 80, 110);
  const wrap = (text: string, indent: string): string =>
    help.boxWrap(text, width - indent.length).replaceAll('\n', `\n${indent}`);
  const codes = Object.entries({ ...exitCodes, ...SHARED_CODES });
  return [
    '',
    ...notes.flatMap((note) => [wrap(note, ''), '']),
    'Examples:',
    ...examples.flatMap(({ purpose, run }) => [`  ${wrap(`${purpose}:`, '  ')}`, `    $ ${run}`]),
    '',
    'Exit codes:',
    ...codes.map(([code, meaning]) => `  ${code.padStart(3)}  ${wrap(meaning, '       ')}`),
  ].join('\n');
}
