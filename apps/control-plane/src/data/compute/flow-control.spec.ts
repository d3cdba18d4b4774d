import { FlowControl } from './flow-control.js';

describe('FlowControl', () => {
  it('lets the worker send only as many chunks as the main thread allowed', () => {
    const main = new FlowControl();
    const thread = new FlowControl(main.memory);
    main.allow(2);
    expect([thread.waitUntilAllowed(0), thread.waitUntilAllowed(1)]).toEqual([true, true]);
    main.allow(3);
    expect(thread.waitUntilAllowed(2)).toBe(true);
  });

  it('stays stopped after stop() and allows no further chunk', () => {
    const main = new FlowControl();
    const thread = new FlowControl(main.memory);
    expect(thread.isStopped).toBe(false);
    main.stop();
    main.allow(10);
    expect([thread.isStopped, thread.waitUntilAllowed(0)]).toEqual([true, false]);
  });
});
