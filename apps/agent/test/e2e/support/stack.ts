import { rmSync } from 'node:fs';

import { cleanUpOnExit } from '@understudy/local-system';
import { stackDown, stackUp, type StackInfo, type StackOptions } from '@understudy/stack';

export interface E2eStackOptions extends StackOptions {
  /** The folder of the stack. The caller creates it. */
  readonly dataDir: string;
}

/** The control plane generates no records in these tests. A second thread would cost a tenth of its start. */
const SETTINGS = { UNDERSTUDY_GENERATION_THREADS: '1' };

/** For the folder of each stack, a function that cancels its removal at the end of the test process. */
const callOffs = new Map<string, () => void>();

/** Starts all parts of the stack that do not run yet. They end with the test process at the latest. */
export function startStack({ settings, ...options }: E2eStackOptions): Promise<StackInfo> {
  if (!callOffs.has(options.dataDir)) callOffs.set(options.dataDir, cleanUpOnExit([], [options.dataDir]));
  return stackUp({ ...options, settings: { ...SETTINGS, ...settings } });
}

/** Stops the stack and deletes its folder. */
export async function removeStack(dataDir: string): Promise<void> {
  await stackDown({ dataDir });
  rmSync(dataDir, { recursive: true, force: true });
  callOffs.get(dataDir)?.();
}
