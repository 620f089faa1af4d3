import { Box, Spacer } from 'ink';
import { Fragment } from 'react';
import type { ReactElement } from 'react';
import { keptSegments } from '../text/fit-segments.ts';
import type { Segment } from '../text/fit-segments.ts';
import { Styled } from './styled.tsx';

export interface SegmentsProps {
  readonly segments: readonly Segment[];
  readonly width: number;
}

/** One line with the most important fields that fit, and a blank at both ends. */
export function Segments({ segments, width }: SegmentsProps): ReactElement {
  const kept = keptSegments(segments, width - 2);
  const firstRight = kept.findIndex(({ align }) => align === 'right');
  return (
    <Box width={width} height={1} paddingX={1}>
      {kept.map(({ text, role, gap }, index) => (
        <Fragment key={index}>
          {index === firstRight && <Spacer />}
          <Box marginLeft={index === 0 ? 0 : gap} flexShrink={0}>
            <Styled {...(role === undefined ? {} : { role })}>{text}</Styled>
          </Box>
        </Fragment>
      ))}
    </Box>
  );
}
