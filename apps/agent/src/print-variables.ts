import { VARIABLES } from './config/variables.js';

// tools/repository runs this file to write and check docs/reference/configuration.md, because no project may
// import an app.

const rows = Object.values(VARIABLES).map(
  ({ name, fallback, meaning }) => `| \`${name}\` | ${fallback} | ${meaning} |`,
);
process.stdout.write(['| variable | default | meaning |', '| --- | --- | --- |', ...rows].join('\n'));
