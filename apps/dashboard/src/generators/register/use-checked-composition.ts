import { startOfUtcDay } from '@understudy/sync-job';
import { useEffect, useState } from 'react';

import type { EngineResponse, PlaygroundEngine } from '../../engine/playground-engine.js';
import type { CheckedComposition } from '../../engine/checks/check-composition.js';

export type CheckResponse = Exclude<EngineResponse<CheckedComposition>, { kind: 'replaced' }>;

/** Checks each new text. Returns the newest response, which may belong to an older text, or undefined at first. */
export function useCheckedComposition(engine: PlaygroundEngine, text: string): CheckResponse | undefined {
  const [checked, setChecked] = useState<CheckResponse>();
  useEffect(() => {
    let isNewest = true;
    const nowMs = startOfUtcDay(new Date()).getTime();
    void engine.ask({ kind: 'composition', text, seed: 1, nowMs }).then((response) => {
      if (isNewest && response.kind !== 'replaced') setChecked(response);
    });
    return () => {
      isNewest = false;
    };
  }, [engine, text]);
  return checked;
}
