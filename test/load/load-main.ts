import { closeSync, constants, openSync } from 'node:fs';
import type { LoadOrder, LoadReport } from './load-process.ts';
import { SeededRandom } from '../random.ts';
import { runUring } from './uring.ts';

const order = JSON.parse(process.argv[2]!) as LoadOrder;
const random = new SeededRandom(order.seed);
const blocks = Math.floor(order.spanBytes / order.blockBytes);
const fd = openSync(order.path, constants.O_RDWR | constants.O_DIRECT);
let writes = 0;

/** Asked now and then: a look at the clock for each would cost more than the I/O. */
const PACED_TOGETHER = 64;
const sleeper = new Int32Array(new SharedArrayBuffer(4));
const startedMs = performance.now();

function waitForTurn(index: number): void {
  const { perSecond } = order;
  if (perSecond === undefined || index % PACED_TOGETHER !== 0) return;
  const dueMs = startedMs + (index / perSecond) * 1000;
  const earlyMs = dueMs - performance.now();
  if (earlyMs > 0) Atomics.wait(sleeper, 0, 0, earlyMs);
}

const outcome = runUring({
  fd,
  depth: order.depth,
  batch: order.batch,
  count: order.count,
  maxBytes: order.blockBytes,
  next: (index) => {
    waitForTurn(index);
    const write = random.next() < order.writes;
    if (write) writes++;
    return {
      write,
      offset: Math.floor(random.next() * blocks) * order.blockBytes,
      bytes: order.blockBytes,
    };
  },
});
closeSync(fd);
const report: LoadReport = { ...outcome, writes, reads: order.count - writes };
process.stdout.write(JSON.stringify(report));
