import { create, toBinary } from '@bufbuild/protobuf';

import { CommandSchema, type Command } from '../schema/index.js';
import { decodeCommand, keyOfCommand, type AgentCommand } from './command.js';

const CASES = CommandSchema.oneofs.flatMap(({ fields }) => fields.map(({ localName }) => localName));

it.each(CASES)('a command without content is malformed, and its kind is known: %s', (name) => {
  const command = { case: name, value: {} } as Command['command'];
  const bytes = toBinary(CommandSchema, create(CommandSchema, { id: 'cmd_1', command }));
  expect(() => decodeCommand(bytes)).toThrow(
    /^expected a(n erasure| target cleanup| sync job| snapshot| restore| deletion| drop| revert) with/,
  );
});

it('a command of a kind that only a newer version knows is refused', () => {
  expect(() => decodeCommand(new Uint8Array([0xfa, 0x3e, 0]))).toThrow('a command that this agent knows');
});

it.each([
  ['run_sync_job', { jobId: 'job_1', epoch: 2 }, 'job_1.2.agt_1'],
  ['create_snapshot', { snapshotId: 'snp_1', epoch: 2 }, 'snp_1.2.agt_1'],
  ['restore_snapshot', { restoreId: 'rst_1', epoch: 2 }, 'rst_1.2.agt_1'],
  ['delete_snapshot', { id: 'del_1' }, 'del_1.agt_1'],
  ['erase_private_model', { id: 'ers_1' }, 'ers_1'],
  // A cleanup is sent until it is acknowledged, so the agent may receive each command.
  ['clear_sync_target', { jobId: 'job_1', epoch: 2 }, undefined],
])('the key of %s', (pattern, data, key) => {
  expect(keyOfCommand({ pattern, data } as unknown as AgentCommand, 'agt_1')).toBe(key);
});
