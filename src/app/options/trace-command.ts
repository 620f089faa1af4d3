import type { ExportFormat } from '../../export/formats.ts';
import type { Options } from './options.ts';

/** `ioheat export` and `ioheat report`, checked. */
export type TraceCommand =
  | { readonly command: 'export'; readonly options: Options; readonly asked: ExportOptions }
  | { readonly command: 'report'; readonly options: Options; readonly asked: ReportOptions };

export interface ReportOptions {
  readonly from: string | undefined;
  readonly to: string | undefined;
}

export interface ExportOptions extends ReportOptions {
  readonly format: ExportFormat;
  /** A path, or `-`. */
  readonly output: string;
  /** Whether an existing file is replaced. */
  readonly force: boolean;
}
