import { isSameDatabase, type ServerIdentity } from './server-identity.js';

const PRODUCTION: ServerIdentity = {
  majorVersion: 15,
  systemIdentifier: '7300000000000000001',
  databaseOid: '16384',
  startedAt: '1700000000000001',
  isReplica: false,
};

describe('the same database', () => {
  it.each<[string, Partial<ServerIdentity>, boolean]>([
    ['itself, by another name', {}, true],
    ['its replica', { startedAt: '1700000000000002', isReplica: true }, true],
    ['a server made of its backup', { startedAt: '1700000000000002' }, false],
    ['another database of its server', { databaseOid: '16385' }, false],
    ['another server', { systemIdentifier: '7300000000000000002', startedAt: '1700000000000002' }, false],
  ])('%s', (_, more, isSame) => {
    const other = { ...PRODUCTION, ...more };
    expect([isSameDatabase(PRODUCTION, other), isSameDatabase(other, PRODUCTION)]).toEqual([isSame, isSame]);
  });
});
