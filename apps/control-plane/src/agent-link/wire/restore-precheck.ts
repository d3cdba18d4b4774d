import { fromBinary } from '@bufbuild/protobuf';
import { AnswerSchema } from '@understudy/contract';

import { snapshotFailure } from './decode-snapshot-event.js';
import type { AgentFailure } from '../messages/sync-job-event.js';

export interface DecodedAnswer {
  readonly questionId: string;
  /** Undefined: nothing stands in the way. */
  readonly obstacle?: AgentFailure;
}

/** @returns undefined for an answer of a kind that this side does not know. @throws if the bytes are no answer */
export function decodeAnswer(bytes: Uint8Array): DecodedAnswer | undefined {
  const { questionId, answer } = fromBinary(AnswerSchema, bytes);
  if (answer.case !== 'restoreTarget') return undefined;
  const { obstacle } = answer.value;
  return { questionId, ...(obstacle === undefined ? {} : { obstacle: snapshotFailure(obstacle) }) };
}
