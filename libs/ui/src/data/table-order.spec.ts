import { nextSort } from './table-head.js';
import { withFocused } from './virtual-rows.js';

describe('nextSort', () => {
  it('begins with ascending order, also after another column', () => {
    expect(nextSort('name', undefined)).toEqual({ id: 'name', direction: 'asc' });
    expect(nextSort('name', { id: 'rows', direction: 'asc' })).toEqual({ id: 'name', direction: 'asc' });
  });

  it('turns the order of the same column', () => {
    expect(nextSort('name', { id: 'name', direction: 'asc' })).toEqual({ id: 'name', direction: 'desc' });
    expect(nextSort('name', { id: 'name', direction: 'desc' })).toEqual({ id: 'name', direction: 'asc' });
  });
});

describe('withFocused', () => {
  it('keeps the focused row in its place before and after the visible rows', () => {
    expect(withFocused([4, 5, 6], 2, 10)).toEqual([2, 4, 5, 6]);
    expect(withFocused([4, 5, 6], 9, 10)).toEqual([4, 5, 6, 9]);
  });

  it('changes nothing if the focused row is visible, is not there any more, or does not exist', () => {
    expect(withFocused([4, 5, 6], 5, 10)).toEqual([4, 5, 6]);
    expect(withFocused([4, 5, 6], 10, 10)).toEqual([4, 5, 6]);
    expect(withFocused([4, 5, 6], undefined, 10)).toEqual([4, 5, 6]);
  });
});
