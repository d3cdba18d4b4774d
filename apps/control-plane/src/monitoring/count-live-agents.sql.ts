import { isLive } from '../agents/registry/agent-responses.js';

export const COUNT_LIVE_AGENTS = `
  SELECT count(*)::integer AS live FROM agents
  WHERE revoked_at IS NULL AND ${isLive('last_seen_at')}`;
