/** What is known of two times that follow each other; −1 when neither is. */
export function addKnown(deviceNs: number, queueNs: number): number {
  if (!(deviceNs >= 0)) return queueNs >= 0 ? queueNs : -1;
  return queueNs >= 0 ? deviceNs + queueNs : deviceNs;
}
