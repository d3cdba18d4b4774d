import { manualPage } from './manual/manual-page.js';
import { program } from './program.js';

// For tools/repository, which writes docs/cli.md and checks it: an app is imported by nobody.
process.stdout.write(manualPage(program()));
