#!/usr/bin/env node
import { stackProgram } from './commands/stack-program.js';
import { reportFailure } from './commands/report-failure.js';

stackProgram()
  .parseAsync()
  .catch((error: unknown) => reportFailure(error));
