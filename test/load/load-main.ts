import { closeSync, constants, openSync } from 'node:fs';
import type { LoadOrder, LoadReport } from './load-process.ts';
import { randomFrom } from './random.ts';
import { runUring } from './uring.ts';

const order = JSON.parse(process.argv[2]!) as LoadOrder;
const random = randomFrom(order.seed);
const blocks = Math.floor(order.spanBytes / order.blockBytes);
const fd = openSync(order.path, constants.O_RDWR | constants.O_DIRECT);
let writes = 0;
const outcome = runUring({
  fd,
  depth: order.depth,
  batch: order.batch,
  count: order.count,
  maxBytes: order.blockBytes,
  next: () => {
    const write = random() < order.writes;
    if (write) writes++;
    return {
      write,
      offset: Math.floor(random() * blocks) * order.blockBytes,
      bytes: order.blockBytes,
    };
  },
});
closeSync(fd);
const report: LoadReport = { ...outcome, writes, reads: order.count - writes };
process.stdout.write(JSON.stringify(report));
