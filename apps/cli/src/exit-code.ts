/** The exit codes of the command. */
export const EXIT = {
  done: 0,
  internal: 1,
  usage: 2,
  file: 3,
  refused: 4,
  database: 5,
  unequal: 6,
  api: 7,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The meaning of each exit code, for every help text and docs/reference/cli.md. */
export const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  done: 'success; also if the reader of the output closed it early',
  internal: 'internal error of understudy',
  usage: 'unknown argument or option, or invalid value',
  file: 'a file cannot be read or written, or has the wrong format',
  refused:
    'the input cannot be used: an invalid schema or job, values that no model can be trained on, or constraints that no word meets',
  database: 'a database cannot be reached, or returned an error',
  unequal: 'the verification failed',
  api: 'the API cannot be reached, or rejected the request',
  interrupted: 'interrupted by Ctrl-C or stopped by your answer (143 by SIGTERM)',
};
