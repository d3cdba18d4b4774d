#!/usr/bin/env node
// This file is committed and executable, because npm links commands on installation, before the build.
import { existsSync } from 'node:fs';

const program = new URL('../dist/cli.js', import.meta.url);
if (existsSync(program)) {
  await import(program.href);
} else {
  process.stderr.write('understudy: the command is not built; run "npm run build" first\n');
  process.exitCode = 1;
}
