import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** The streams of a command that reads a secret. */
export interface SecretInput {
  readonly input: NodeJS.ReadStream;
  readonly prompts: NodeJS.WriteStream;
}

/**
 * Reads one line from standard input. On a terminal, asks for it and does not show what is typed.
 * @param question text that a user of a terminal sees, such as `Enrolment token: `
 * @returns the line without surrounding white space; empty if the input ends before it, and at most 4096 characters
 */
export async function readSecret(question: string, { input, prompts }: SecretInput): Promise<string> {
  return (input.isTTY ? await ask(question, { input, prompts }) : await firstLine(input)).trim();
}

async function firstLine(input: NodeJS.ReadStream): Promise<string> {
  let text = '';
  for await (const chunk of input.setEncoding('utf8')) {
    text += String(chunk);
    if (text.includes('\n') || text.length > MAX_LENGTH) break;
  }
  return text.split('\n', 1)[0]?.slice(0, MAX_LENGTH) ?? '';
}

async function ask(question: string, { input, prompts }: SecretInput): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  // With `terminal`, readline switches the echo of the terminal off, and writes its own echo to `output`.
  const reader = createInterface({ input, output: nowhere, terminal: true });
  reader.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  prompts.write(question);
  try {
    return (await reader.question('')).slice(0, MAX_LENGTH);
  } finally {
    reader.close();
    prompts.write('\n');
  }
}

const MAX_LENGTH = 4096;
