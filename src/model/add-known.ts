/** Of figures of which some are unknown; undefined when both are. */
export function sumOfKnown(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : a + b;
}

/** Adds two consecutive times, of which an unknown one counts as 0; −1 when both are unknown. */
export function addKnown(deviceNs: number, queueNs: number): number {
  if (!(deviceNs >= 0)) return queueNs >= 0 ? queueNs : -1;
  return queueNs >= 0 ? deviceNs + queueNs : deviceNs;
}
