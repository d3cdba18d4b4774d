import type { INestMicroservice } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { AsyncMicroserviceOptions } from '@nestjs/microservices';
import { Logger } from 'nestjs-pino';

import { AgentModule } from './agent.module.js';
import type { AgentConfiguration } from './config/agent-configuration.js';
import { AgentLinkServer } from './link/agent-link-server.js';
import { BackgroundServices } from './work/background-services.js';

/**
 * Starts the agent and enrols it at its first start. Resolves when the agent receives commands.
 * @param onFatal called after the start, with an error that no retry can fix
 * @throws ConfigurationError, EnrolmentError
 */
export async function startAgent(
  configuration: AgentConfiguration,
  onFatal: (error: unknown) => void,
): Promise<INestMicroservice> {
  const app = await NestFactory.createMicroservice<AsyncMicroserviceOptions>(AgentModule.for(configuration), {
    inject: [AgentLinkServer],
    useFactory: (strategy: AgentLinkServer) => ({ strategy }),
    bufferLogs: true,
    abortOnError: false,
  });
  app.useLogger(app.get(Logger));
  await app.init();
  await app.get(BackgroundServices).start(onFatal);
  await app.listen();
  return app;
}
