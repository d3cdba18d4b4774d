import { useMutation } from '@tanstack/react-query';

import type { PlaygroundEngine } from '../../engine/playground-engine.js';
import type { RecordsRequest } from '../../engine/worker/messages.js';
import { compareTexts, type Comparison } from './compare-texts.js';
import { type ComparedFormat, generateWithApi } from './generate-with-api.js';

/** Returns the format of the API in which the records of a tab are compared and shown. */
export function apiFormat({ format }: RecordsRequest): ComparedFormat {
  return format === 'csv' ? 'csv' : 'ndjson';
}

/** The comparison of a request, or undefined if a newer request has replaced it on the worker. */
export function useComparison(engine: PlaygroundEngine) {
  return useMutation({
    mutationFn: async (request: RecordsRequest): Promise<Comparison | undefined> => {
      const format = apiFormat(request);
      const [page, api] = await Promise.all([
        engine.ask<'records'>({ ...request, format }),
        generateWithApi(request, format),
      ]);
      const isText = page.kind === 'records' && page.output.kind === 'text';
      return isText ? compareTexts(page.output.kind === 'text' ? page.output.text : '', api) : undefined;
    },
  });
}

/** The records of the API as text. */
export function useApiRecords() {
  return useMutation({
    mutationFn: (request: RecordsRequest) => generateWithApi(request, apiFormat(request)),
  });
}
