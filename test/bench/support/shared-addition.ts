import { Worker } from 'node:worker_threads';

const ADDITIONS = 2e7;
const SOURCE = `
  const { workerData, parentPort } = require('node:worker_threads');
  const { words, at } = workerData;
  Atomics.add(words, 1, 1);
  while (Atomics.load(words, 1) < workerData.workers);
  const start = process.hrtime.bigint();
  for (let i = 0; i < ${ADDITIONS}; i++) Atomics.add(words, at, 1);
  parentPort.postMessage(Number(process.hrtime.bigint() - start));
`;

/** Time of an atomic addition, in ns, while so many threads add to the same word all the time: of all of them together. */
export async function sharedAdditionNs(workers: number): Promise<number> {
  const words = new Int32Array(new SharedArrayBuffer(1024));
  const times = await Promise.all(
    [...Array(workers).keys()].map(
      () =>
        new Promise<number>((resolve, reject) => {
          const worker = new Worker(SOURCE, {
            eval: true,
            workerData: { words, workers, at: 128 },
          });
          worker.on('message', resolve).on('error', reject);
        }),
    ),
  );
  return Math.max(...times) / (ADDITIONS * workers);
}
