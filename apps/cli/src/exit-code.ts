/** What the command ends with. */
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

/** In words, for every help and docs/cli.md. */
export const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  done: 'done; also when nobody reads the output any more',
  internal: 'a fault of understudy',
  usage: 'unknown argument or option, or invalid value',
  file: 'a file that cannot be read or written, or is not what it should be',
  refused:
    'what was asked for cannot be made: a schema or a job with mistakes, values that train nothing, constraints that no word meets',
  database: 'a database cannot be reached, or refused',
  unequal: 'what was verified does not hold',
  api: 'the API cannot be reached, or refused the request',
  interrupted: 'ended by Ctrl-C (143 by SIGTERM)',
};
