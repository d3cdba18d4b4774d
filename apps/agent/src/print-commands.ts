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
    'In a clone, write `node apps/agent/bin/understudy-agent.js` instead of `understudy-agent`. In the container, run `docker compose exec agent understudy-agent`.',
    ...sections(root, root.name()),
    '',
  ].join('\n\n');
}

/** Returns the sections of a command and of its subcommands. `name` is the complete name of the command. */
function sections(command: Command, name: string): string[] {
  return [
    section(command, name),
    ...command.commands.flatMap((child) => sections(child, `${name} ${child.name()}`)),
  ];
}

function section(command: Command, name: string): string {
  let help = '';
  command
    .configureHelp({ helpWidth: 100 })
    .configureOutput({ writeOut: (text) => (help += text), getOutHasColors: () => false })
    .outputHelp();
  return `## ${name}\n\n\`\`\`text\n${help.trimEnd()}\n\`\`\``;
}
