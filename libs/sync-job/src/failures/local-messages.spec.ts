import { failureMessage } from './failure-message.js';
import { FAILURES } from './failures.js';
import { namesOf } from './names.js';
import { LOCAL_CHECK_MESSAGES, LOCAL_SYNC_MESSAGES } from './message-set.js';

const names = namesOf({ tables: [{ name: 'customers', columns: [{ name: 'email' }] }] });

describe('LOCAL_SYNC_MESSAGES', () => {
  it.each(Object.keys(FAILURES))(
    'has a message for %s that mentions neither an agent nor a control plane',
    (code) => {
      for (const place of [{}, { side: 'target', tableIndex: 0, columnIndex: 0 }] as const) {
        const message = failureMessage({ code, ...place }, names, LOCAL_SYNC_MESSAGES);
        expect(message).toMatch(/^\S.*\.$/);
        expect(message).not.toMatch(/\bagent|control plane|\bpost\b|\bpolicy|UNDERSTUDY_|undefined/i);
      }
    },
  );

  it('has a text of its own for each code', () => {
    const place = { tableIndex: 0, columnIndex: 0 };
    const codes = Object.keys(FAILURES);
    const texts = codes.map((code) => failureMessage({ code, ...place }, names));
    expect(new Set(texts).size).toBe(codes.length);
    const broken = failureMessage({ code: 'rule_misfit', ...place, constraintKind: 'check' }, names);
    expect(broken).toMatch(/makes values that violate a check constraint of the column/);
    const computed = failureMessage(
      { code: 'rule_misfit', ...place, constraintKind: 'foreign_key', constraint: 'of_parent' },
      names,
    );
    expect(computed).toMatch(/changes a generated column that is part of the foreign key "of_parent"/);
  });

  it('demands to install an extension that the target lacks, which no option can leave out', () => {
    const object = { kind: 'extension', name: 'citext' };
    for (const messages of [LOCAL_SYNC_MESSAGES, undefined]) {
      const text = failureMessage({ code: 'source_code_refused', tableIndex: 0, object }, names, messages);
      expect(text).toBe(
        'The definition of table "customers" needs extension "citext", which the target lacks. The target is as it was before. Install the extension on the target before the job runs.',
      );
    }
  });

  it('reports for a lost connection to the target that its commit may have got no reply', () => {
    const lost = (side: 'source' | 'target') => failureMessage({ code: 'connection_lost', side }, names);
    expect(lost('target')).toMatch(/as it was before\. If .* commit .* complete new content\.$/);
    expect(lost('source')).toMatch(/as it was before\.$/);
  });

  it('advises --resume only where it continues a copy, and not after a check', () => {
    for (const code of ['connection_lost', 'stalled']) {
      const lost = (set: typeof LOCAL_SYNC_MESSAGES) => failureMessage({ code, side: 'target' }, names, set);
      expect(lost(LOCAL_SYNC_MESSAGES)).toMatch(/run the job again with --resume to continue/i);
      expect(lost(LOCAL_CHECK_MESSAGES)).toMatch(/The target is unchanged\. .*run the command again\.$/i);
      expect(lost(LOCAL_CHECK_MESSAGES)).not.toMatch(/commit/);
    }
  });
});
