import type { INestMicroservice } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { AsyncMicroserviceOptions } from '@nestjs/microservices';
import { Logger } from 'nestjs-pino';

import { AgentModule } from './agent.module.js';
import type { AgentConfiguration } from './config/agent-configuration.js';
import { AgentLinkServer } from './link/agent-link-server.js';
import { StateFolder } from './state/state-folder.js';
import { BackgroundServices } from './work/background-services.js';

/**
 * Locks the state folder and starts the agent. Enrols it at its first start. Resolves when the agent receives
 * commands.
 * @param onFatal called after the start, with an error that no retry can fix
 * @throws ConfigurationError, EnrolmentError, StateFolderInUseError
 */
export async function startAgent(
  configuration: AgentConfiguration,
  onFatal: (error: unknown) => void,
): Promise<INestMicroservice> {
  const folder = await StateFolder.open(configuration.stateDir);
  void folder.whenLost.then(onFatal);
  try {
    return await start(configuration, folder, (error) => void folder.explain(error).then(onFatal));
  } catch (error) {
    const reason = await folder.explain(error);
    folder.close();
    throw reason;
  }
}

async function start(
  configuration: AgentConfiguration,
  folder: StateFolder,
  onFatal: (error: unknown) => void,
): Promise<INestMicroservice> {
  const app = await NestFactory.createMicroservice<AsyncMicroserviceOptions>(
    AgentModule.for(configuration, folder),
    {
      inject: [AgentLinkServer],
      useFactory: (strategy: AgentLinkServer) => ({ strategy }),
      logger: false, // the caller reports why the start failed
      bufferLogs: true,
      abortOnError: false,
    },
  );
  app.useLogger(app.get(Logger));
  await app.init();
  await app.get(BackgroundServices).start(onFatal);
  await app.listen();
  return app;
}
