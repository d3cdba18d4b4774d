/** What the command ends with. */
export const EXIT = {
  done: 0,
  /** A fault of the program. */
  internal: 1,
  /** Arguments or options that there are not, or with values that they do not take. */
  usage: 2,
  /** A file that cannot be read or written, or is not what it should be. */
  file: 3,
  /** What was asked for cannot be made: a schema with problems, values that train nothing, constraints that no word meets. */
  refused: 4,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export const EXIT_CODES_HELP = `
Exit codes: 0 done, 1 a fault of understudy, 2 wrong usage, 3 a file is missing or is not what it should be,
4 what was asked for cannot be made.`;
