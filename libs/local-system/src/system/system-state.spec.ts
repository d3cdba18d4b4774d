import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { identifyProcess } from '../processes/process-identity.js';
import { KeptProcesses } from './kept-processes.js';
import { newState, readState, writeState } from './system-state.js';

describe('the state of a system', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'understudy-state-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is read as it was written', () => {
    const state = newState();
    writeState(folder, state);
    expect(readState(folder)).toEqual(state);
  });

  it('has a process as soon as it is started, so that the next command keeps it', async () => {
    const own = identifyProcess(process.pid);
    if (own === undefined) throw new Error('This process has no identity.');
    const start = jest.fn(() => Promise.resolve({ process: own, port: 6379, url: 'redis://127.0.0.1:6379' }));
    const keep = () =>
      new KeptProcesses(readState(folder) ?? newState(), { folder }).keep(
        'redis',
        () => Promise.resolve(),
        start,
      );
    await keep();
    await keep();
    expect(start).toHaveBeenCalledTimes(1);
  });

  it('is refused if another user has written it', () => {
    writeState(folder, newState());
    const getuid = jest.spyOn(process, 'getuid').mockReturnValue(4_242);
    expect(() => readState(folder)).toThrow('expected a folder of this user (id 4242), but user');
    getuid.mockRestore();
  });

  it('gets the secrets that an earlier version did not write, and keeps the others', () => {
    const state = newState();
    writeState(folder, state);
    const file = join(folder, 'state.json');
    const old = JSON.parse(readFileSync(file, 'utf8')) as {
      secrets: { databasesPassword?: string; nats: Record<string, string> };
    };
    delete old.secrets.nats['agentAccount'];
    delete old.secrets.databasesPassword;
    writeFileSync(file, JSON.stringify(old));
    const read = readState(folder);
    expect(read?.secrets).toEqual({
      ...state.secrets,
      databasesPassword: expect.stringMatching(/^[0-9a-f]{32}$/),
      nats: { ...state.secrets.nats, agentAccount: expect.stringMatching(/^SA/) },
    });
  });
});
