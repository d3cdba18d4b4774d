import type { Logger } from '@nestjs/common';
import type { EngineLog } from '@understudy/sync-engine';

/** What the engine tells, in the agent's own log. */
export function nestEngineLog(logger: Logger): EngineLog {
  return {
    error: (facts, message) => logger.error(facts, message),
    warn: (facts, message) => logger.warn(facts, message),
    info: (facts, message) => logger.log(facts, message),
    debug: (facts, message) => logger.debug(facts, message),
  };
}
