import type { Command } from 'commander';

import { operationsMarkdown } from '../../platform/http/operations/operations-markdown.js';
import { print } from '../with-database.js';

/** Adds the commands that print the operations and the OpenAPI document of the API. */
export function addApiCommands(program: Command): void {
  program
    .command('operations')
    .description('print the operations of the API with their roles and scopes, as Markdown')
    .addHelpText('after', '\nExample:\n  $ understudy-control-plane operations > api.md')
    .action(async () => {
      const { OPERATIONS } = await import('../../api-description/operations.js');
      print(operationsMarkdown(OPERATIONS).trimEnd());
    });

  program
    .command('openapi')
    .description('print the OpenAPI document of the API')
    .addHelpText('after', '\nExample:\n  $ understudy-control-plane openapi > openapi.json')
    .action(async () => {
      const { API_DESCRIPTION } = await import('../../api-description/openapi-document.js');
      print(JSON.stringify(API_DESCRIPTION, undefined, 2));
    });
}
