import { Box } from 'ink';
import type { ReactElement } from 'react';
import { formatCount, formatPercent } from '../base/format.ts';
import { sanitizeText } from '../base/sanitize.ts';
import type { Fidelity } from '../model/activity.ts';
import { ChromeLines } from './chrome-line.tsx';
import { fitSegments } from './fit-segments.ts';
import type { Segment } from './fit-segments.ts';
import { exactLine, span } from './span.ts';
import type { Line } from './span.ts';
import type { Role, Theme } from './theme.ts';

export interface StatusContent {
  /** As a person would type it; empty when everything is shown. */
  readonly filterText: string;
  /** What the last key did; takes the place of the hints. */
  readonly notice: string | undefined;
  /** What to press next; the same thing ever shorter. */
  readonly hints: readonly string[];
  readonly fidelity: Fidelity;
}

export interface StatusLineProps extends StatusContent {
  readonly width: number;
  readonly theme: Theme;
}

export function StatusLine({ width, theme, ...content }: StatusLineProps): ReactElement {
  return (
    <Box width={width}>
      <ChromeLines lines={[statusLine(content, width)]} theme={theme} />
    </Box>
  );
}

/** From here on the three figures are written out. */
const LONG_FIGURES_WIDTH = 100;

export function statusLine(content: StatusContent, width: number): Line {
  const segments = [
    ...filterSegments(content.filterText),
    noticeSegment(content),
    ...fidelitySegments(content.fidelity, width >= LONG_FIGURES_WIDTH),
  ];
  return exactLine([span(' '), ...fitSegments(segments, width - 2)], width);
}

function filterSegments(filterText: string): Segment[] {
  if (filterText === '') return [];
  const text = sanitizeText(filterText);
  return [{ forms: [`filter: ${text}`, text], priority: 20, minWidth: 10, role: 'accent' }];
}

function noticeSegment({ notice, hints }: StatusContent): Segment {
  return notice === undefined
    ? { forms: hints, priority: 30, role: 'dim' }
    : { forms: [sanitizeText(notice)], priority: 10, minWidth: 10 };
}

/** Always there: what the picture lacks is never hidden by anything else on the line. */
function fidelitySegments({ inPicture, inDetail, lost }: Fidelity, isLong: boolean): Segment[] {
  const gap = isLong ? 2 : 1;
  return [
    {
      forms: [shareText(isLong ? 'in picture' : 'pic', inPicture, isLong)],
      priority: 1,
      role: complete(inPicture, 'alarm'),
      align: 'right',
    },
    {
      forms: [shareText(isLong ? 'in detail' : 'det', inDetail, isLong)],
      priority: 2,
      role: complete(inDetail, 'warning'),
      align: 'right',
      gap,
    },
    {
      forms: [`lost ${formatCount(lost)}`],
      priority: 0,
      role: lost > 0 ? 'alarm' : 'plain',
      align: 'right',
      gap,
    },
  ];
}

function complete(share: number, otherwise: Role): Role {
  return share < 1 ? otherwise : 'plain';
}

/** `in picture 100 %` or `pic 100%`. */
function shareText(name: string, share: number, isLong: boolean): string {
  const percent = formatPercent(share);
  return `${name} ${isLong ? percent.replace('%', ' %') : percent}`;
}
