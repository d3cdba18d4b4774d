import { writeFileSync } from 'node:fs';

import { Command } from 'commander';

/** Returns the command that writes the secrets for docker-compose.yml. */
export function composeEnvironmentCommand(): Command {
  return new Command('compose-environment')
    .description('write a file with new secrets for docker-compose.yml')
    .argument('<file>', 'the file to write, such as .env; an existing file is not changed')
    .addHelpText('after', '\nExample:\n  $ understudy-control-plane compose-environment .env')
    .action(async (file: string) => {
      const text = await composeEnvironment();
      try {
        writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
      } catch (error) {
        if ((error as { code?: string }).code !== 'EEXIST') throw error;
        throw new Error(
          `${file} exists and was not changed; the services of docker-compose.yml need its secrets`,
          { cause: error },
        );
      }
    });
}

async function composeEnvironment(): Promise<string> {
  const { newPassword, seedVariables } = await import('./configuration-files.js');
  const { generateNatsSeeds } = await import('@understudy/agent-protocol/nats-trust');
  const variables = {
    UNDERSTUDY_POSTGRES_PASSWORD: newPassword(),
    UNDERSTUDY_CONTROL_DATABASE_PASSWORD: newPassword(),
    UNDERSTUDY_DATABASES_PASSWORD: newPassword(),
    UNDERSTUDY_REDIS_PASSWORD: newPassword(),
    UNDERSTUDY_OPS_PASSWORD: newPassword(),
    ...seedVariables(generateNatsSeeds()),
  };
  return Object.entries(variables)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}
