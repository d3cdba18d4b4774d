#!/usr/bin/env node
// Committed and executable, because npm links commands when it installs, before anything is built.
import { existsSync } from 'node:fs';

const program = new URL('../dist/cli.js', import.meta.url);
if (existsSync(program)) {
  await import(program.href);
} else {
  process.stderr.write('understudy: not built yet: run "npm run build" first\n');
  process.exitCode = 1;
}
