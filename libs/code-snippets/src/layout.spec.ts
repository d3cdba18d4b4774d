import { type Layout, print } from './layout.js';

const GROUP = { open: '[', items: ['1', '2'], close: ']', padding: '', lastComma: false } as const;

describe('print', () => {
  it.each<[string, Layout, number, string]>([
    ['first', ['const a = ', GROUP, ';'], 17, 'const a = [\n  1,\n  2\n];'],
    ['second', ['let a;\n', 'b = ', GROUP, ';'], 11, 'let a;\nb = [\n  1,\n  2\n];'],
  ])(
    'divides a group of the %s line only if the line is longer than the width',
    (_, layout, length, divided) => {
      expect(print(layout, { width: length, indent: '  ' })).not.toContain('[\n');
      expect(print(layout, { width: length - 1, indent: '  ' })).toBe(divided);
    },
  );
});
