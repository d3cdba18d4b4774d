import { Command, Option } from 'commander';
import { availableParallelism } from 'node:os';
import { wholeNumber } from '../config/option-values.js';
import { ProgressLine } from '../terminal/progress-line.js';
import { type Progress, ProgressLog } from '../terminal/progress-log.js';

const MAX_CONNECTIONS = 16;

/** The options of all commands that read a job file. */
export interface JobFileOptions {
  readonly source?: string;
  readonly target?: string;
  readonly connections: number;
  readonly state?: string;
  readonly maskingKeyFile?: string;
  readonly pgBinDir?: string;
  readonly json?: true;
  readonly progress?: 'plain';
  readonly verbose?: true;
}

/** Creates a command that reads a job file, with the options that all such commands share. */
export function jobFileCommand(name: string): Command {
  return new Command(name)
    .argument('<job.json>', 'the job file')
    .option('--source <url>', 'the database to read, instead of the one in the file')
    .option('--target <url>', 'the database to write to, instead of the one in the file')
    .addOption(
      new Option('--connections <n>', 'pairs of connections that work in parallel')
        .argParser(wholeNumber(1, MAX_CONNECTIONS))
        .default(
          Math.min(availableParallelism(), MAX_CONNECTIONS),
          `one per core, at most ${MAX_CONNECTIONS}`,
        ),
    )
    .option('--state <folder>', 'the folder for the masking key, private models and unfinished runs')
    .option(
      '--masking-key-file <file>',
      'a file with a key of 64 hexadecimal digits, instead of the key in the state folder',
    )
    .option('--pg-bin-dir <folder>', 'the folder that contains pg_dump and pg_restore')
    .option('--json', 'print progress and results as JSON, one object per line')
    .addOption(
      new Option(
        '--progress <form>',
        'plain: print progress and results as text for a log, without a terminal, too',
      )
        .choices(['plain'])
        .conflicts('json'),
    )
    .option('--verbose', "print the engine's log on stderr; it may quote rows");
}

/** Returns whether a command prints JSON for programs. Otherwise, it prints text for people. */
export function isForPrograms({ json, progress }: Pick<JobFileOptions, 'json' | 'progress'>): boolean {
  return json === true || (progress === undefined && !process.stdout.isTTY);
}

/** Returns how a command for people shows its progress. */
export function progressFor({ progress }: Pick<JobFileOptions, 'progress'>): Progress {
  return progress === 'plain' ? new ProgressLog() : new ProgressLine();
}
