import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { mismatches } from './mismatches.js';
import { readJUnit } from './native-tests.js';
import { readScenarios } from './scenario.js';

describe('a scenario', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'understudy-scenario-'))));
  afterEach(() => rmSync(folder, { recursive: true }));
  const read = (scenarios: unknown) => {
    writeFileSync(join(folder, 'some.json'), JSON.stringify(scenarios));
    return readScenarios(folder).get('some');
  };

  it('becomes one test for each combination of its values', () => {
    const found = read([
      {
        title: '<a> and <b>',
        for: [[{ a: 1 }, { a: 2 }], [{ b: { c: null } }]],
        call: { call: 'x', count: '<a>', '<a>': '<b>', text: '<unknown>' },
        expect: {},
      },
    ]);
    expect(found?.map(({ title }) => title)).toEqual(['1 and [object Object]', '2 and [object Object]']);
    expect(found?.[1]?.steps).toEqual([
      { call: { call: 'x', count: 2, '2': { c: null }, text: '<unknown>' }, expect: {} },
    ]);
  });

  it('is refused if its title occurs twice', () => {
    expect(() => read([{ title: 'same' }, { title: 'same' }])).toThrow('some: same');
  });
});

describe('a pattern', () => {
  it.each([
    [{ a: 1 }, { a: 1, b: 2 }],
    [null, undefined],
    [[{ a: null }], [{}]],
    [{ $exactly: { a: { b: 1 } } }, { a: { b: 1, c: null } }],
    [{ $contains: ['b', 'c'] }, 'abc'],
    [{ $matches: '^a.c$' }, 'a\nc'],
    [{ $between: [1, 2] }, 2],
    [{ $length: 2 }, [1, 2]],
    [{ $not: null }, 0],
    [{ $any: [null, 1] }, 1],
  ])('%j matches %j', (pattern, value) => {
    expect(mismatches(pattern, value, 'x')).toEqual([]);
  });

  it.each([
    [{ a: 1 }, { a: '1' }],
    [{ a: 1 }, [1]],
    [[1], [1, 2]],
    [null, 0],
    [{ $exactly: { a: {} } }, { a: { b: 1 } }],
    [{ $exactly: { a: [1, 2] } }, { a: [2, 1] }],
    [{ $contains: ['b', 'd'] }, 'abc'],
    [{ $matches: '^b' }, undefined],
    [{ $between: [1, 2] }, null],
    [{ $length: 2 }, undefined],
    [{ $not: { $contains: 'a' } }, 'a'],
    [{ $any: [] }, undefined],
  ])('%j does not match %j', (pattern, value) => {
    expect(mismatches(pattern, value, 'x')).toHaveLength(1);
  });

  it('with an unknown operator is refused', () => {
    expect(() => mismatches({ $near: 1 }, 1, 'x')).toThrow('$near');
  });
});

describe('a report in the format of JUnit', () => {
  it('has the status and the message of each test', () => {
    const xml = `<testsuites><testsuite name="all">
      <testcase classname="tests.test_a" name="test_b[&lt;1 &#65;&amp;&quot;]" file="tests/test_a.py"/>
      <testcase name="two" time="0.1"><failure message="m">expected &gt; 1</failure></testcase>
      <testcase name="three"><skipped type="x"/></testcase></testsuite></testsuites>`;
    expect(readJUnit(xml).map(({ attributes, status }) => [attributes['name'], status])).toEqual([
      ['test_b[<1 A&"]', 'passed'],
      ['two', 'failed'],
      ['three', 'skipped'],
    ]);
    expect(readJUnit(xml)[1]?.message).toContain('expected > 1');
  });
});
