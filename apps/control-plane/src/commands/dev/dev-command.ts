import { resolve } from 'node:path';

import { Command, InvalidArgumentError } from 'commander';

interface DevOptions {
  readonly folder: string;
  readonly port?: number;
  readonly sample?: true;
  readonly allowLocalWebhooks?: true;
  readonly json?: true;
}

/** Returns the command that runs a complete system on one machine, for evaluation. */
export function devCommand(): Command {
  return new Command('dev')
    .description('for evaluation: run everything on this machine, from PostgreSQL to the dashboard')
    .option('--folder <folder>', 'folder for all data; it will contain passwords', 'understudy-dev')
    .option(
      '--port <port>',
      'port of the dashboard and the API; default: that of the last start, or 8080',
      port,
    )
    .option(
      '--sample',
      'create a sample shop, and offer it as agent:shop with the empty target agent:shop_staging',
    )
    .option('--allow-local-webhooks', 'allow webhooks to reach receivers on this machine (127.0.0.1, ::1)')
    .option('--json', 'print one JSON object when everything runs')
    .addHelpText(
      'after',
      '\nThe command starts private PostgreSQL, Redis and NATS servers, the control plane, and an agent if the\n' +
        'program understudy-agent is beside this one or in PATH. All of them listen only on 127.0.0.1, without TLS.\n' +
        'The agent may read and write each database of this machine for which a job has a password. Do not use\n' +
        'this command for production data. Ctrl-C stops everything and keeps the data.\n' +
        '\n--sample needs the agent. It creates the database shop with 2,000 customers and their orders, and the empty\n' +
        'database shop_staging. Existing databases of these names are kept.\n' +
        '\nExit codes:\n' +
        '  0    stopped by a signal\n' +
        '  1    a part could not start, or has ended\n' +
        '  2    an argument or an option is invalid\n' +
        '  130  a signal interrupted the start\n' +
        '\nExample:\n  $ understudy-control-plane dev --folder ~/understudy-dev --sample',
    )
    .action(async ({ folder, ...options }: DevOptions) => {
      const { LocalSystemError } = await import('@understudy/local-system');
      const { runDev } = await import('./run-dev.js');
      await runDev({ folder: resolve(folder), ...options }).catch((error: unknown) => {
        if (!(error instanceof LocalSystemError)) throw error;
        throw new Error(
          error.hint === undefined ? error.message : `${error.message}\nTo fix it: ${error.hint}.`,
        );
      });
    });
}

function port(value: string): number {
  if (!/^[1-9]\d{0,4}$/.test(value) || Number(value) > 65_535)
    throw new InvalidArgumentError('Expected a port from 1 to 65535.');
  return Number(value);
}
