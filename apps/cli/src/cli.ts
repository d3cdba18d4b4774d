import { program } from './program.js';
import { reportError } from './terminal/report-error.js';

try {
  await program().parseAsync();
} catch (error) {
  process.exitCode = reportError(error);
}
