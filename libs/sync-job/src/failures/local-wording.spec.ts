import { failureMessage } from './failure-message.js';
import { MESSAGES } from './messages.js';
import { namesOf } from './names.js';
import { LOCAL_SYNC_WORDING } from './wording.js';

const names = namesOf({ tables: [{ name: 'customers', columns: [{ name: 'email' }] }] });

describe('on a machine without agent and control plane', () => {
  it.each(Object.keys(MESSAGES))('%s speaks of neither', (code) => {
    for (const place of [{}, { side: 'target', tableIndex: 0, columnIndex: 0 }] as const) {
      const message = failureMessage({ code, ...place }, names, LOCAL_SYNC_WORDING);
      expect(message).toMatch(/^\S.*\.$/);
      expect(message).not.toMatch(/\bagent|control plane|\bpost\b|\bpolicy|UNDERSTUDY_|undefined/i);
    }
  });

  it('each sentence of its own is for a code that there is', () => {
    expect(Object.keys(MESSAGES)).toEqual(expect.arrayContaining(Object.keys(LOCAL_SYNC_WORDING.own)));
  });
});
