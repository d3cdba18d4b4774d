import { CheckReport, lineOf } from '@understudy/operator-commands';
import { Outbound } from '@understudy/outbound';

import { AgentConfiguration } from '../../config/agent-configuration.js';
import type { Environment } from '../../config/environment.js';
import { EXIT } from '../manual.js';
import { checkConfiguration } from './steps/configuration.js';
import { checkControlPlane } from './steps/control-plane.js';
import { checkDatabases } from './steps/databases.js';
import { checkIdentity } from './steps/identity.js';
import { checkMaskingKey, checkPolicy } from './steps/files.js';
import { checkNats } from './steps/nats.js';
import { checkSnapshotStore } from './steps/snapshot-store.js';
import { checkStateFolder } from './steps/state-folder.js';

export interface CheckOptions {
  readonly environment: Environment;
  readonly json: boolean;
  readonly write: (text: string) => void;
  /** Receives progress. */
  readonly note: (text: string) => void;
}

/** Runs all steps and prints their results. @returns the exit code */
export async function runCheck({ environment, json, write, note }: CheckOptions): Promise<number> {
  const report = new CheckReport(
    (result) => {
      if (!json) write(`${lineOf(result)}\n`);
    },
    (step) => note(`checking: ${step} …\n`),
  );
  const read = checkConfiguration(report, environment);
  if (read !== undefined) await checkAll(report, read.configuration, read.outbound);
  if (json) write(`${JSON.stringify(report.results, undefined, 2)}\n`);
  if (read === undefined) return EXIT.configuration;
  return report.hasFailed ? 1 : 0;
}

async function checkAll(
  report: CheckReport,
  configuration: AgentConfiguration,
  outbound: Outbound,
): Promise<void> {
  const state = await checkStateFolder(report, configuration);
  await checkMaskingKey(report, configuration, state.identity);
  const policy = await checkPolicy(report, configuration);
  await checkSnapshotStore(report, configuration);
  const isReached = await checkControlPlane(report, configuration, outbound);
  const credentials = await checkIdentity(report, { configuration, outbound, state, isReached });
  await checkNats(report, { outbound, state, credentials });
  await checkDatabases(report, configuration, policy);
}
