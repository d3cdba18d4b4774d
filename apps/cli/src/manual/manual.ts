import type { Command } from 'commander';
import { EXIT, EXIT_MEANINGS } from '../exit-code.js';
import { coloursOf } from '../terminal/colours.js';

/**
 * The part of a command's help that follows its description, arguments and options. docs/reference/cli.md contains
 * the same text.
 */
export interface Manual {
  /** Paragraphs with the facts that a user needs before the first run. */
  readonly notes?: readonly string[];
  /** A file that the examples read. */
  readonly listing?: { readonly file: string; readonly text: string };
  /** One or more examples. Each works as written if its files exist. */
  readonly examples: readonly Example[];
}

export interface Example {
  /** The purpose of the example, such as `write the same records as CSV`. */
  readonly purpose: string;
  readonly run: string;
}

/** A note for the manual of each command that connects to a database. */
export const ENCRYPTION_NOTE =
  'Connections to another machine are encrypted. Without sslmode, or with sslmode=prefer, a URL means sslmode=require, which does not authenticate the server. Use sslmode=verify-full if this machine can verify the certificate. Only sslmode=disable in the URL turns encryption off, with a warning. Connections to localhost and through a socket are not encrypted unless the URL sets sslmode.';

const manuals = new WeakMap<Command, Manual>();

/** Attaches a manual to a command and returns the command. A test checks that every command has a manual. */
export function withManual(command: Command, manual: Manual): Command {
  manuals.set(command, manual);
  return command.addHelpText('after', ({ error }) =>
    helpText(command, manual, coloursOf(error ? process.stderr : process.stdout).bold),
  );
}

export function manualOf(command: Command): Manual | undefined {
  return manuals.get(command);
}

export const EXIT_LINES: readonly (readonly [code: number, meaning: string])[] = Object.entries(
  EXIT_MEANINGS,
).map(([name, meaning]) => [EXIT[name as keyof typeof EXIT], meaning]);

function helpText(
  command: Command,
  { notes = [], listing, examples }: Manual,
  bold: (text: string) => string,
) {
  const help = command.createHelp();
  const width = Math.min(help.helpWidth ?? process.stdout.columns ?? 80, 120);
  const wrap = (text: string, indent: string): string =>
    help
      .boxWrap(text, width - indent.length)
      .split('\n')
      .map((line, i) => (i === 0 ? line : `${indent}${line}`))
      .join('\n');
  return [
    '',
    ...notes.flatMap((note) => [wrap(note, ''), '']),
    ...(listing ? [bold(`${listing.file}:`), indented(listing.text), ''] : []),
    bold('Examples:'),
    ...examples.flatMap(({ purpose, run }) => [`  ${wrap(`${purpose}:`, '  ')}`, `    $ ${run}`]),
    '',
    bold('Exit codes:'),
    ...EXIT_LINES.map(([code, meaning]) => `  ${String(code).padStart(3)}  ${wrap(meaning, '       ')}`),
  ].join('\n');
}

function indented(text: string): string {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');
}
