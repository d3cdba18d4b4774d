import { useEffect, useState } from 'react';

import { BASE_PATH } from '../api/client.js';
import type { Catalog, CatalogRequest, Exchanges } from './worker/messages.js';
import { PlaygroundEngine, type EngineResponse } from './playground-engine.js';
import { startWorker } from './start-worker.js';

/** Returns an engine that is closed when the component leaves the page. */
export function useEngine(): PlaygroundEngine {
  const [engine] = useState(
    () => new PlaygroundEngine(startWorker, `${window.location.origin}${BASE_PATH}/dashboard/model-files/`),
  );
  useEffect(() => () => engine.close(), [engine]);
  return engine;
}

const CATALOG: CatalogRequest = { kind: 'catalog' };

/** Returns everything that a schema may name, or undefined until the worker has listed it. */
export function useCatalog(engine: PlaygroundEngine): Catalog | undefined {
  const response = useNewest(engine, CATALOG)?.response;
  return response?.kind === 'catalog' ? response : undefined;
}

/** The newest response to requests of a kind, and what it responds to. */
export interface Newest<Kind extends keyof Exchanges> {
  readonly request: Exchanges[Kind]['request'];
  readonly response: Exclude<EngineResponse<Exchanges[Kind]['response']>, { kind: 'replaced' }>;
  /** The time from the request to the response. */
  readonly ms: number;
}

/**
 * Sends each new request to the worker.
 * @param request keep the object the same while its fields are the same; undefined sends nothing
 * @returns the newest response, which may belong to an older request
 */
export function useNewest<Kind extends keyof Exchanges>(
  engine: PlaygroundEngine,
  request: (Exchanges[Kind]['request'] & { readonly kind: Kind }) | undefined,
): Newest<Kind> | undefined {
  const [newest, setNewest] = useState<Newest<Kind>>();
  useEffect(() => {
    if (request === undefined) return undefined;
    let isNewest = true;
    const startedAt = performance.now();
    void engine.ask<Kind>(request).then((answer) => {
      const response = answer as Newest<Kind>['response'] | { readonly kind: 'replaced' };
      if (isNewest && response.kind !== 'replaced')
        setNewest({ request, response, ms: performance.now() - startedAt });
    });
    return () => {
      isNewest = false;
    };
  }, [engine, request]);
  return newest;
}
