/** Processor time of all threads of this process since its start, in µs. */
export function processorUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
