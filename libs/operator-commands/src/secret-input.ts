import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/**
 * Asks for a secret on the terminal, and does not show what the user types.
 * @param question printed to the error output, because the standard output belongs to the command
 * @returns the line, without white space around it
 */
export async function askSecret(question: string): Promise<string> {
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output, terminal: true });
  terminal.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  process.stderr.write(question); // the terminal no longer shows what is typed or pasted
  try {
    return (await terminal.question('')).trim();
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}

/**
 * Reads lines from the standard input until it ends, without their line ends.
 * @throws RangeError if the input has more than 64 KiB
 */
export async function readInputLines(): Promise<string[]> {
  let text = '';
  process.stdin.setEncoding('utf8');
  for await (const chunk of process.stdin) {
    text += String(chunk);
    if (text.length > LARGEST_INPUT) throw new RangeError('the standard input must have at most 64 KiB');
  }
  return text.replace(/\r?\n$/, '').split(/\r?\n/);
}

const LARGEST_INPUT = 64 * 1024;
