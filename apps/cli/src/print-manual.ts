import { manualPage } from './manual/manual-page.js';
import { program } from './program.js';

// tools/repository runs this file to write and check docs/reference/cli.md, because no project may import an app.
process.stdout.write(manualPage(program()));
