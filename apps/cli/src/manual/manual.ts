import type { Command } from 'commander';
import { EXIT, EXIT_MEANINGS } from '../exit-code.js';
import { coloursOf } from '../terminal/colours.js';

/** The help of a command besides its description, arguments and options; docs/cli.md has it too. */
export interface Manual {
  /** Paragraphs: what one has to know before the first run. */
  readonly notes?: readonly string[];
  /** A file that the examples read. */
  readonly listing?: { readonly file: string; readonly text: string };
  /** At least one. Each works as it stands, given its files. */
  readonly examples: readonly Example[];
}

export interface Example {
  /** What it does: `the same records again, as CSV`. */
  readonly says: string;
  /** The line to type. */
  readonly run: string;
}

/** A note for the manual of each command that connects to a database. */
export const ENCRYPTION_NOTE =
  'Connections to another machine are encrypted. Without sslmode, or with prefer, a URL means sslmode=require, which does not authenticate the server: write sslmode=verify-full where its certificate can be verified. Only sslmode=disable in the URL connects in plaintext, with a warning. On localhost and through a socket, no sslmode means plaintext.';

const manuals = new WeakMap<Command, Manual>();

/** Gives a command its manual. Every command has one: a test goes through them all. @returns the command */
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
    ...examples.flatMap(({ says, run }) => [`  ${wrap(`${says}:`, '  ')}`, `    $ ${run}`]),
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
