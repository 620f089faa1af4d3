import type { TraceReader } from '../../trace/trace-reader.ts';

/** Names each member, so that the compiler reports one that is missing here. */
type EveryMember = { readonly [name in keyof Required<TraceReader>]: TraceReader[name] };

/** The parts of a reader that its caller takes over. */
export type Replaced = Partial<Pick<TraceReader, 'next' | 'problems' | 'dispose'>>;

/** A reader some of whose functions are replaced. */
export function withReplaced(reader: TraceReader, replaced: Replaced): TraceReader {
  const passed: EveryMember = {
    header: reader.header,
    next: () => reader.next(),
    get recorded() {
      return reader.recorded;
    },
    get silences() {
      return reader.silences;
    },
    get cgroups() {
      return reader.cgroups;
    },
    get processes() {
      return reader.processes;
    },
    get notes() {
      return reader.notes;
    },
    get inFlight() {
      return reader.inFlight;
    },
    get pressure() {
      return reader.pressure;
    },
    devices: () => reader.devices(),
    device: reader.device?.bind(reader),
    problems: () => reader.problems(),
    dispose: () => {
      reader.dispose();
    },
    ...replaced,
  };
  return passed;
}
