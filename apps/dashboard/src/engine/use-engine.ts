import { useEffect, useState } from 'react';

import { BASE_PATH } from '../api/client.js';
import type { Catalog, RecordsRequest, RecordsResponse } from './worker/messages.js';
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

/** Returns everything that a schema may name, or undefined until the worker has listed it. */
export function useCatalog(engine: PlaygroundEngine): Catalog | undefined {
  const [catalog, setCatalog] = useState<Catalog>();
  useEffect(() => {
    void engine.ask({ kind: 'catalog' }).then((response) => {
      if (response.kind === 'catalog') setCatalog(response);
    });
  }, [engine]);
  return catalog;
}

/** The newest response, and what it responds to. */
export interface Generated {
  readonly request: RecordsRequest;
  readonly response: Exclude<EngineResponse<RecordsResponse>, { kind: 'replaced' }>;
  /** The time from the request to the response. */
  readonly ms: number;
}

/**
 * Generates the records of each new request.
 * @param request keep the object the same while its fields are the same; undefined if the settings are invalid
 * @returns the newest response, which may belong to an older request
 */
export function useGenerated(
  engine: PlaygroundEngine,
  request: RecordsRequest | undefined,
): Generated | undefined {
  const [generated, setGenerated] = useState<Generated>();
  useEffect(() => {
    if (request === undefined) return undefined;
    let isNewest = true;
    const startedAt = performance.now();
    void engine.ask(request).then((response) => {
      if (isNewest && response.kind !== 'replaced')
        setGenerated({ request, response, ms: performance.now() - startedAt });
    });
    return () => {
      isNewest = false;
    };
  }, [engine, request]);
  return generated;
}
