import { Command } from 'commander';
import { availableParallelism } from 'node:os';
import { wholeNumber } from '../config/option-values.js';

const MAX_CONNECTIONS = 16;

/** What all commands that work with a job file take. */
export interface JobFileOptions {
  readonly source?: string;
  readonly target?: string;
  readonly connections: number;
  readonly state?: string;
  readonly maskingKeyFile?: string;
  readonly pgBinDir?: string;
  readonly json?: true;
  readonly verbose?: true;
}

export function jobFileCommand(name: string): Command {
  return new Command(name)
    .argument('<job.json>', 'the job file')
    .option('--source <url>', "the database to read, instead of the file's")
    .option('--target <url>', "the database to write, instead of the file's")
    .option(
      '--connections <n>',
      'pairs of connections at work at once',
      wholeNumber(1, MAX_CONNECTIONS),
      Math.min(availableParallelism(), MAX_CONNECTIONS),
    )
    .option('--state <folder>', 'where the masking key, private models and unfinished runs are kept')
    .option('--masking-key-file <file>', "64 hexadecimal digits, instead of the state folder's own key")
    .option('--pg-bin-dir <folder>', 'where pg_dump and pg_restore are')
    .option('--json', 'print what happens as one JSON object a line')
    .option('--verbose', 'tell on stderr what the engine does; may quote rows');
}
