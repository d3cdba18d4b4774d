import type { Command } from 'commander';

import { program } from './commands/program.js';

// tools/repository runs this file to write and check docs/reference/agent-commands.md, because no project may import an
// app.

process.stdout.write(page(program()));

/** Returns the help of every command as a page. */
function page(root: Command): string {
  return [
    '# Commands of the agent',
    '<!-- Written by `npm run generate` from the commands of apps/agent. Do not edit. -->',
    'In a clone, write `node apps/agent/dist/cli.js` instead of `understudy-agent`. In the container, run `docker compose exec agent node apps/agent/dist/cli.js`.',
    ...[root, ...root.commands].map(section),
    '',
  ].join('\n\n');
}

function section(command: Command): string {
  const name = command.parent === null ? command.name() : `${command.parent.name()} ${command.name()}`;
  let help = '';
  command
    .configureHelp({ helpWidth: 100 })
    .configureOutput({ writeOut: (text) => (help += text), getOutHasColors: () => false })
    .outputHelp();
  return `## ${name}\n\n\`\`\`text\n${help.trimEnd()}\n\`\`\``;
}
