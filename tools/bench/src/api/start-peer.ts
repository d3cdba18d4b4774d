import { join } from 'node:path';

import { forkServer, type Peer } from './fork-server.js';

/** @param page what both of its routes answer with */
export function startPeer(page: unknown, databaseUrl: string): Promise<Peer> {
  return forkServer(join(import.meta.dirname, 'peer-server.js'), { page, databaseUrl });
}
