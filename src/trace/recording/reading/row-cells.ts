import type { TableColumns } from './table-columns.ts';

/** The values of a batch, by column. */
export class Cells {
  readonly time;
  readonly device;
  readonly pid;
  readonly tid;
  readonly comm;
  readonly op;
  readonly flags;
  readonly sector;
  readonly bytes;
  readonly queueNs;
  readonly deviceNs;
  readonly error;
  readonly kind;
  readonly count;
  readonly layer;
  readonly summary;
  readonly result;

  constructor(table: TableColumns) {
    this.time = table.ns('time');
    this.device = table.text('device');
    this.pid = table.number('pid');
    this.tid = table.number('tid');
    this.comm = table.text('comm');
    this.op = table.text('op');
    this.flags = table.text('flags');
    this.sector = table.number('sector');
    this.bytes = table.number('bytes');
    this.queueNs = table.number('queue_ns');
    this.deviceNs = table.number('device_ns');
    this.error = table.number('error');
    this.kind = table.text('kind');
    this.layer = table.text('layer');
    this.count = table.number('count');
    this.result = table.number('result');
    this.summary = table.text('summary');
  }
}

/** A batch, and the row in it that is read next. */
export class BatchRows {
  at = 0;
  readonly cells: Cells;

  constructor(
    table: TableColumns,
    readonly rows: number,
  ) {
    this.cells = new Cells(table);
  }
}
