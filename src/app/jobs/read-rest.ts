/** While there are millions of I/Os a second, more of them wait after each read. */
const READ_WITHIN_MS = 500;

/** Reads at the end what waits in the kernel; `pump` returns whether more does. */
export function readRest(pump: () => boolean, nowMs = (): number => performance.now()): void {
  const untilMs = nowMs() + READ_WITHIN_MS;
  while (pump() && nowMs() < untilMs);
}
