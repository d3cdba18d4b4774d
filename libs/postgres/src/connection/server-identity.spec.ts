import { isSameDatabase, type ServerIdentity } from './server-identity.js';

const PRODUCTION: ServerIdentity = {
  majorVersion: 15,
  systemIdentifier: '7300000000000000001',
  databaseOid: '16384',
  startedAt: '1700000000000001',
  isReplica: false,
};

describe('isSameDatabase', () => {
  it.each<[string, Partial<ServerIdentity>, boolean]>([
    ['the same server under another name', {}, true],
    ['a replica', { startedAt: '1700000000000002', isReplica: true }, true],
    ['a server that was restored from a backup', { startedAt: '1700000000000002' }, false],
    ['another database of the same server', { databaseOid: '16385' }, false],
    ['another server', { systemIdentifier: '7300000000000000002', startedAt: '1700000000000002' }, false],
  ])('compares the database with %s', (_, more, isSame) => {
    const other = { ...PRODUCTION, ...more };
    expect([isSameDatabase(PRODUCTION, other), isSameDatabase(other, PRODUCTION)]).toEqual([isSame, isSame]);
  });
});
